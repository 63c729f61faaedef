/**
 * Evaluates a condition over facts, in three values as SQL does: a comparison whose fact is not
 * there is neither true nor false, and a group is decided only by members that were evaluated.
 * Pure and complete: every node has its result, so that a screen can show why.
 */
import { type Catalogue, type ConditionField, fieldOf, operatorOf } from './catalogue.ts'
import {
  childPath,
  type Comparison,
  type Condition,
  type Group,
  isGroup,
  type NodePath,
} from './condition.ts'
import { comparable, type Fact, isReadable } from './condition-values.ts'

/**
 * Why a comparison was not evaluated: nobody supplied the fact · it is known that there is none ·
 * it is not of the field's type · the comparison itself has a fault.
 */
export const UNKNOWN_CAUSES = ['missing', 'empty', 'unreadable', 'faulty'] as const
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number]

/** Null = not evaluated. */
export type Truth = boolean | null

export interface Evaluation {
  path: NodePath
  truth: Truth
  /** Of a comparison that was not evaluated. */
  cause?: UnknownCause
  /** Of a group. */
  of?: readonly Evaluation[]
}

/** By field name. A name that is absent, or undefined, is missing; null = there is no value. */
export type Facts = Readonly<Record<string, unknown>>

export function evaluateCondition(
  condition: Condition,
  facts: Facts,
  catalogue: Catalogue,
): Evaluation {
  return evaluateNode(condition, facts, catalogue, '')
}

function evaluateNode(
  node: Condition,
  facts: Facts,
  catalogue: Catalogue,
  path: NodePath,
): Evaluation {
  if (!isGroup(node)) return { path, ...evaluateComparison(node, facts, catalogue) }
  const of = node.of.map((child, place) =>
    evaluateNode(child, facts, catalogue, childPath(path, place)),
  )
  return { path, truth: groupTruth(node.kind, of), of }
}

/** One false decides `all`, one true decides `any`; else one that is not known leaves it open. */
function groupTruth(kind: Group['kind'], of: readonly Evaluation[]): Truth {
  const deciding = kind === 'any'
  if (of.some(({ truth }) => truth === deciding)) return deciding
  return of.some(({ truth }) => truth === null) ? null : !deciding
}

type Result = Pick<Evaluation, 'truth' | 'cause'>
const unknown = (cause: UnknownCause): Result => ({ truth: null, cause })

function evaluateComparison(
  { field: name, operator: operatorName, value }: Comparison,
  facts: Facts,
  catalogue: Catalogue,
): Result {
  const field = fieldOf(catalogue, name)
  const operator = operatorOf(operatorName)
  if (field === undefined || operator === null) return unknown('faulty')
  const fact = facts[name]
  if (fact === undefined) return unknown('missing')
  if (operator === 'empty') return { truth: fact === null }
  if (operator === 'notEmpty') return { truth: fact !== null }
  if (fact === null) return unknown('empty')
  if (!isReadable(field, fact)) return unknown('unreadable')
  const values = readValues(field, value)
  const have = comparable(field, fact)
  const [first, second] = values
  if (first === undefined) return unknown('faulty')
  switch (operator) {
    case 'is':
      return { truth: have === first }
    case 'isNot':
      return { truth: have !== first }
    case 'atLeast':
      return { truth: have >= first }
    case 'moreThan':
      return { truth: have > first }
    case 'atMost':
      return { truth: have <= first }
    case 'lessThan':
      return { truth: have < first }
    case 'between':
      return second === undefined ? unknown('faulty') : { truth: have >= first && have <= second }
    case 'oneOf':
      return { truth: values.includes(have) }
    case 'noneOf':
      return { truth: !values.includes(have) }
    case 'contains':
      return { truth: String(have).includes(String(first)) }
    case 'startsWith':
      return { truth: String(have).startsWith(String(first)) }
  }
}

/** The values as they are compared; none when one of them is not of the field's type. */
function readValues(field: ConditionField, value: Comparison['value']): Fact[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  return given.every((one) => isReadable(field, one))
    ? given.map((one) => comparable(field, one))
    : []
}
