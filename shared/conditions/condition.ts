/**
 * A condition as a tree: groups (all of, any of) over comparisons of a field with a value. The JSON
 * form is what is stored, sent and edited; a comparison that is not finished has no value yet.
 */
import Type, { type TSchema, type TUnsafe } from 'typebox'

export const GROUP_KINDS = ['all', 'any'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

export interface Group {
  kind: GroupKind
  of: readonly Condition[]
}

/** Several values: of `oneOf`, or the first and the last of `between`. */
export type ConditionValue = number | string | boolean | readonly (number | string)[]

export interface Comparison {
  field: string
  operator: string
  value?: ConditionValue
}

export type Condition = Group | Comparison

/** Groups within groups, all nodes of a tree, and values of one comparison. */
export const MOST_LEVELS = 5
export const MOST_NODES = 60
export const MOST_VALUES = 200
const MOST_TEXT = 200

export function isGroup(node: Condition): node is Group {
  return 'of' in node
}

/** Places of children from the root, `0.2`; the root is the empty text. */
export type NodePath = string

export function childPath(path: NodePath, place: number): NodePath {
  return path === '' ? String(place) : `${path}.${place}`
}

/** The tree as a text that is equal for equal trees, whatever the order of their keys. */
export function conditionText(node: Condition): string {
  return JSON.stringify(inOrder(node))
}

/** The tree without anything but its own keys, in their order. */
function inOrder(node: Condition): Condition {
  if (isGroup(node)) return { kind: node.kind, of: node.of.map(inOrder) }
  const { field, operator, value } = node
  return { field, operator, ...(value === undefined ? {} : { value }) }
}

const strict = { additionalProperties: false }
const one = Type.Union([Type.Number(), Type.String({ maxLength: MOST_TEXT })])

const ComparisonSchema = Type.Object(
  {
    field: Type.String({ maxLength: 60 }),
    operator: Type.String({ maxLength: 20 }),
    value: Type.Optional(
      Type.Union([one, Type.Boolean(), Type.Array(one, { maxItems: MOST_VALUES })]),
    ),
  },
  strict,
)

/** Written out level by level: a schema that names itself would not be inside another. */
function levelSchema(levels: number): TSchema {
  if (levels === 0) return ComparisonSchema
  return Type.Union([
    Type.Object(
      {
        kind: Type.Unsafe<GroupKind>({ type: 'string', enum: [...GROUP_KINDS] }),
        of: Type.Array(levelSchema(levels - 1), { maxItems: MOST_NODES }),
      },
      strict,
    ),
    ComparisonSchema,
  ])
}

/** The form of a condition, for contracts; `conditionFaults` checks its content. */
export const ConditionSchema = (): TUnsafe<Condition> =>
  Type.Unsafe<Condition>(levelSchema(MOST_LEVELS))

/** A condition out of anything that was parsed from JSON; null when it has another form. */
export function readCondition(given: unknown): Condition | null {
  if (typeof given !== 'object' || given === null) return null
  const { kind, of, field, operator, value } = given as Record<string, unknown>
  if (Array.isArray(of)) {
    const known = GROUP_KINDS.find((one) => one === kind)
    const nodes = of.map(readCondition)
    return known === undefined || nodes.includes(null)
      ? null
      : { kind: known, of: nodes as Condition[] }
  }
  if (typeof field !== 'string' || typeof operator !== 'string') return null
  if (value === undefined) return { field, operator }
  return isValue(value) ? { field, operator, value } : null
}

function isValue(value: unknown): value is ConditionValue {
  if (Array.isArray(value))
    return value.every((v) => typeof v === 'number' || typeof v === 'string')
  return ['number', 'string', 'boolean'].includes(typeof value)
}
