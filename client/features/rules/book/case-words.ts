import type { Text } from '#client/base/use-text.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import type { RuleOutcome } from '#shared/rules/rule-sets.ts'
import { OUTPUT_NAMES, TABLE_OUTPUTS } from '#shared/rules/tables/decision-table.ts'

type Gives = Readonly<Record<string, number | null>> | null

/** "Hit", or "Hit: Limit ₹15,000.00, Daily rate 0.03 %". */
export function givenText(t: Text, outcome: RuleOutcome, gives: Gives): string {
  const named = OUTPUT_NAMES.filter((name) => gives?.[name] !== undefined)
  const outcomeText = t(`rules:rule.outcome.${outcome}`)
  if (named.length === 0) return outcomeText
  const values = named.map(
    (name) => `${t(`rules:table.output.${name}`)} ${outputWords(name, gives?.[name] ?? null)}`,
  )
  return `${outcomeText}: ${values.join(' · ')}`
}

/** Of an output or of what was offered: paise as rupees, basis points as per cent. */
export function outputWords(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '—'
  const type = OUTPUT_NAMES.find((one) => one === name)
  if (type === undefined) return String(value)
  if (TABLE_OUTPUTS[type].type === 'money') return formatPaise(value)
  return TABLE_OUTPUTS[type].type === 'percent' ? formatBasisPoints(value) : String(value)
}
