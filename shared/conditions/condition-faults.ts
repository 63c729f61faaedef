/** What is wrong with a condition, each fault at its node. */
import {
  type Catalogue,
  type ConditionField,
  fieldOf,
  type Operand,
  OPERATORS,
  operatorOf,
  operatorsOf,
} from './catalogue.ts'
import {
  childPath,
  type Comparison,
  type Condition,
  isGroup,
  MOST_LEVELS,
  MOST_NODES,
  MOST_VALUES,
  type NodePath,
} from './condition.ts'
import { isReadable } from './condition-values.ts'

export const CONDITION_FAULTS = [
  'noField',
  'unknownField',
  'operator',
  'noValue',
  'value',
  'option',
  'range',
  'manyValues',
  'emptyGroup',
  'tooDeep',
  'tooMany',
] as const
export type ConditionFaultKind = (typeof CONDITION_FAULTS)[number]

export interface ConditionFault {
  path: NodePath
  fault: ConditionFaultKind
}

/** All faults in the order of the tree; none = the condition can be evaluated. */
export function conditionFaults(condition: Condition, catalogue: Catalogue): ConditionFault[] {
  const faults: ConditionFault[] = []
  let nodes = 0
  function visit(node: Condition, path: NodePath, level: number): void {
    nodes += 1
    if (!isGroup(node)) {
      const fault = comparisonFault(node, catalogue)
      if (fault !== null) faults.push({ path, fault })
      return
    }
    if (level > MOST_LEVELS) faults.push({ path, fault: 'tooDeep' })
    else if (node.of.length === 0) faults.push({ path, fault: 'emptyGroup' })
    else
      for (const [place, child] of node.of.entries())
        visit(child, childPath(path, place), level + 1)
  }
  visit(condition, '', 1)
  if (nodes > MOST_NODES) faults.push({ path: '', fault: 'tooMany' })
  return faults
}

function comparisonFault(
  { field: name, operator: operatorName, value }: Comparison,
  catalogue: Catalogue,
): ConditionFaultKind | null {
  if (name === '') return 'noField'
  const field = fieldOf(catalogue, name)
  if (field === undefined) return 'unknownField'
  const operator = operatorOf(operatorName)
  if (operator === null || !operatorsOf(field).includes(operator)) return 'operator'
  return valueFault(field, OPERATORS[operator], value)
}

function valueFault(
  field: ConditionField,
  operand: Operand,
  value: Comparison['value'],
): ConditionFaultKind | null {
  if (operand === 'none') return value === undefined ? null : 'value'
  if (value === undefined || value === '') return 'noValue'
  if (operand === 'one') return oneFault(field, value)
  if (!Array.isArray(value)) return 'value'
  if (value.length === 0) return 'noValue'
  if (value.length > MOST_VALUES) return 'manyValues'
  const wrong = value.map((one: number | string) => oneFault(field, one)).find((f) => f !== null)
  if (wrong !== undefined) return wrong
  if (operand !== 'range') return null
  const [from, to] = value as readonly (number | string)[]
  if (value.length !== 2 || from === undefined || to === undefined) return 'noValue'
  return from > to ? 'range' : null
}

function oneFault(field: ConditionField, value: unknown): ConditionFaultKind | null {
  if (value === '') return 'noValue'
  if (!isReadable(field, value)) return 'value'
  const isKnown = field.type !== 'choice' || field.options?.some((o) => o.value === value)
  return isKnown ? null : 'option'
}
