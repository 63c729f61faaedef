/** Words of a table's columns, cells and faults. */
import type { Text } from '#client/base/use-text.ts'
import { optionText } from '#client/screen/conditions/condition-words.ts'
import {
  type DecisionTable,
  inputField,
  OUTPUT_NAMES,
  TABLE_OUTPUTS,
} from '#shared/rules/tables/decision-table.ts'
import type { TableFault } from '#shared/rules/tables/table-faults.ts'
import type { CellWords } from './cell-text.ts'

export function wordsOf(t: Text, name: string): CellWords {
  return {
    yes: t('ui:yes'),
    no: t('ui:no'),
    empty: t('rules:rule.test.empty'),
    options: Object.fromEntries(
      (inputField(name)?.options ?? []).map((option) => [option.value, optionText(t, option)]),
    ),
  }
}

/** The title of a column, with its unit. */
export function columnTitle(t: Text, name: string): string {
  const output = OUTPUT_NAMES.find((one) => one === name)
  const field = output ? undefined : inputField(name)
  const base = output ? t(`rules:table.output.${output}`) : field ? t(field.text) : name
  const type = output ? TABLE_OUTPUTS[output].type : field?.type
  const unit = type === 'money' ? '₹' : type === 'percent' ? '%' : field?.unit ? t(field.unit) : ''
  return unit === '' ? base : `${base} (${unit})`
}

export function columnsOf({
  inputs,
  outputs,
}: Pick<DecisionTable, 'inputs' | 'outputs'>): string[] {
  return [...inputs, ...outputs]
}

const OF_TABLE: ReadonlySet<string> = new Set([
  'noRows',
  'manyRows',
  'noOutputs',
  'manyInputs',
  'twice',
  'cells',
  'outputRange',
  'outputWhole',
  'outputNone',
  'unreachable',
])

export function faultText(t: Text, { fault }: TableFault): string {
  return OF_TABLE.has(fault) ? t(`rules:table.fault.${fault}`) : t(`conditions:fault.${fault}`)
}
