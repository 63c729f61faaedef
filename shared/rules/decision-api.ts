/** How the tables and the rules decided an application, by the versions of that time. */
import Type from 'typebox'
import { ConditionSchema } from '#shared/conditions/condition.ts'
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'
import { endpoint, Id, MapOf, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { Trace } from './rule-api.ts'
import { RULE_OUTCOMES } from './rule-sets.ts'
import { TableSchema } from './tables/decision-table.ts'
import { TRIAL_SIDES } from './trial-sets.ts'

const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

export const DecidedTable = Type.Object({
  tableId: text,
  versionNo: int,
  name: text,
  /** From 0; null: no row, or not evaluated. */
  row: Nullable(int),
  open: Nullable(Type.Object({ row: int, column: int, cause: OneOf(UNKNOWN_CAUSES) })),
  /** In paise and basis points; null: not given. Before and after this table. */
  before: MapOf(Nullable(Type.Number())),
  after: MapOf(Nullable(Type.Number())),
  table: TableSchema(),
  /** Of each row that was looked at, whether its cells hold; null: not known. */
  cells: Type.Array(Type.Array(Nullable(Type.Boolean()))),
})

export const DecidedRule = Type.Object({
  ruleId: text,
  /** Null: its judgement is older than the versions that are stored with one. */
  versionNo: Nullable(int),
  name: text,
  outcome: OneOf(RULE_OUTCOMES),
  cause: Nullable(OneOf(UNKNOWN_CAUSES)),
  output: maybe,
  /** Of a rule that was hit or left open, and whose version is known. */
  why: Nullable(Type.Object({ expression: ConditionSchema(), trace: Trace })),
})

export const orderDecision = endpoint({
  method: 'GET',
  path: '/rule/decision',
  access: ['review_list:view', 'rule_engine:view'],
  menu: 'review_list',
  input: Type.Object({ orderId: Id() }),
  data: Type.Object({
    /** Of the last judgement; null: no machine has judged the application. */
    decision: Nullable(
      Type.Object({
        reviewId: text,
        machineId: maybe,
        result: maybe,
        time: text,
        limit: Nullable(int),
        tables: Type.Array(DecidedTable),
        rules: Type.Array(DecidedRule),
        /** Of the shares that divided the applications then. */
        sides: Type.Array(
          Type.Object({
            ruleId: text,
            name: text,
            side: OneOf(TRIAL_SIDES),
            /** Null: no version of the rule was in force. */
            versionNo: Nullable(int),
            percent: Nullable(int),
          }),
        ),
      }),
    ),
  }),
  summary: 'Tables, rules and shares that decided an application, with the trace of each',
})
