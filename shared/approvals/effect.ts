import Type, { type Static } from 'typebox'
import { MapOf, Nullable, OneOf } from '#shared/kernel/endpoint.ts'

/**
 * What a request would do if it were executed now: computed by the server in a rehearsal, personal
 * data masked.
 */
export const EFFECT_NAMES = [
  'payer',
  'utr',
  'upi',
  'payTime',
  'cause',
  'orderStatus',
  'outstanding',
  'overdueDays',
  'fine',
  'caseState',
  'stage',
  'reduction',
  'payee',
  'account',
  'vendor',
  'transferType',
  'attempts',
  'failReason',
  'rule',
  'ruleShare',
  'ruleVersion',
  'ruleGroup',
  'rulePriority',
  'ruleMode',
  'ruleExpression',
  'ruleAction',
  'refusalCode',
  'ruleOutput',
  'decisionTable',
  'tableRows',
  'tableOrder',
] as const
export type EffectName = (typeof EFFECT_NAMES)[number]

/**
 * `money` in paise, `time` an instant, `ruleExpression` a condition and `decisionTable` a table
 * as JSON; the others are codes of their set, `text` is shown unchanged.
 */
export const EFFECT_KINDS = [
  'text',
  'number',
  'money',
  'time',
  'cause',
  'orderStatus',
  'caseState',
  'reductionState',
  'ruleMode',
  'ruleExpression',
  'decisionTable',
] as const

const name = OneOf(EFFECT_NAMES)
const kind = OneOf(EFFECT_KINDS)
const value = Nullable(Type.Union([Type.String(), Type.Integer()]))

export const Fact = Type.Object({ name, kind, value })
export const Effect = Type.Object({
  facts: Type.Array(Fact),
  /** Empty when it cannot be executed. */
  changes: Type.Array(Type.Object({ name, kind, before: value, after: value })),
  /** Why it would be refused now. */
  obstacle: Nullable(
    Type.Object({
      problem: Type.String(),
      params: MapOf(Type.Union([Type.String(), Type.Number()])),
      msg: Type.String(),
    }),
  ),
})
export type FactRow = Static<typeof Fact>
export type EffectRow = Static<typeof Effect>
