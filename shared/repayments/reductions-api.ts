import Type from 'typebox'
import {
  Day,
  endpoint,
  Id,
  MapOf,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { REDUCTION_STATES } from './reduction-sets.ts'

/** Calls of reductions. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

const Items = () =>
  Type.Object(
    {
      overdueFine: Paise({ minimum: 0, maximum: 10 ** 15 }),
      serviceFee: Paise({ minimum: 0, maximum: 10 ** 15 }),
      interest: Paise({ minimum: 0, maximum: 10 ** 15 }),
    },
    strict,
  )

export const ReduceRow = Type.Object({
  reduceId: text,
  orderId: text,
  planId: maybe,
  userId: text,
  userName: text,
  amountDue: int,
  reduceAmount: int,
  reduceItems: Type.Object({ overdueFine: int, serviceFee: int, interest: int }),
  payAmount: int,
  validUntil: maybe,
  state: OneOf(REDUCTION_STATES),
  cause: maybe,
  reason: text,
  launchById: maybe,
  launchBy: text,
  /** Code of the launcher's role: the decider needs a higher level. */
  launchRole: maybe,
  launchTime: text,
  decideById: maybe,
  decideBy: maybe,
  decideTime: maybe,
  decideReason: maybe,
  caseId: maybe,
  stageId: maybe,
  agencyId: maybe,
  agencyName: maybe,
  usedTime: maybe,
  usedAmount: int,
  voidTime: maybe,
  version: int,
})

export const listReductions = endpoint({
  method: 'GET',
  path: '/reduce/list',
  exports: [{ code: 'reduce_list:export' }],
  file: { path: '/export/collection/reduce', when: { type: ['request'] } },
  access: ['reduce_list:view'],
  menu: 'reduce_list',
  input: ListInput({
    reduceId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    state: Type.Optional(OneOf(REDUCTION_STATES)),
    launchBy: Type.Optional(Text(1, 64)),
    stageId: Type.Optional(Id()),
    agencyId: Type.Optional(Id()),
    launchTimeFrom: Type.Optional(Time()),
    launchTimeTo: Type.Optional(Time()),
    /** Reductions the caller may decide. */
    toDecide: Type.Optional(Type.Boolean()),
  }),
  data: ListData(ReduceRow),
  summary: 'Reductions: asked for, decided, used',
})

export const reductionLimit = endpoint({
  method: 'GET',
  path: '/reduce/limit',
  access: ['reduce_list:launch', 'pedding_list:reduce'],
  menu: 'reduce_list',
  input: Type.Object({ orderId: Id() }),
  data: Type.Object({
    orderId: text,
    version: int,
    status: int,
    userName: text,
    /** The instalment that carries a reduction of the order: the oldest with an open amount. */
    planId: maybe,
    /** What the order owes today. */
    due: int,
    principal: int,
    /** Open fees today, by part. */
    open: Type.Object({ overdueFine: int, serviceFee: int, interest: int }),
    /** The maximum the caller may request, spread over the parts in their order. */
    capPercent: int,
    cap: int,
    maxItems: Type.Object({ overdueFine: int, serviceFee: int, interest: int }),
    /** Codes of the roles that may decide a reduction the caller launches. */
    approverRoles: Type.Array(text),
    /** Roles that may request more than the caller, each with its maximum. */
    launchers: Type.Array(Type.Object({ role: text, cap: int })),
    /** IST days. */
    validFrom: text,
    validDefault: text,
    validTo: text,
    /** The reduction that is open on the order. */
    openReduceId: maybe,
  }),
  summary: 'Parts of an order that can be reduced, with the limit of the caller',
})

export const launchReduction = endpoint({
  method: 'POST',
  path: '/reduce/launch',
  access: ['reduce_list:launch', 'pedding_list:reduce'],
  menu: 'reduce_list',
  input: Type.Object(
    {
      orderId: Id(),
      planId: Id(),
      version: Version(),
      reduceItems: Items(),
      validUntil: Day(),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: ReduceRow,
  audit: 'launchReduction',
  idempotency: 'required',
  summary: 'Requests a reduction of fines and fees of an overdue order; a superior decides',
})

/** The fields of the form; the call takes the parts together, and values the screen knows. */
export const reduceFields = Type.Object({
  orderId: Id(),
  ...Items().properties,
  validUntil: Day(),
  reason: Text(4, 200),
})

const reduceIds = Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true })

export const previewDecision = endpoint({
  method: 'POST',
  path: '/reduce/preview',
  access: ['reduce_list:decide'],
  menu: 'reduce_list',
  input: Type.Object({ reduceIds, result: OneOf(['approved', 'rejected']) }, strict),
  data: Type.Object({
    ready: Type.Array(text),
    /** Paise that an approval waives, or that a rejection does not. */
    amount: int,
    /**
     * Why the other rows would be refused by the decision; rows outside the caller's scope are
     * missing.
     */
    excluded: Type.Array(
      Type.Object({
        reduceId: text,
        problem: text,
        params: MapOf(Type.Union([text, Type.Number()])),
        msg: text,
      }),
    ),
  }),
  summary: 'Effects of a decision on reductions, before it is made',
})

export const decideReductions = endpoint({
  method: 'POST',
  path: '/reduce/decide',
  access: ['reduce_list:decide'],
  menu: 'reduce_list',
  input: Type.Object(
    { reduceIds, result: OneOf(['approved', 'rejected']), reason: Type.Optional(Text(4, 200)) },
    strict,
  ),
  data: BulkData(),
  audit: 'decideReduction',
  idempotency: 'required',
  summary: "Decides others' reductions: at least one level above, within the own cap",
})

export const withdrawReduction = endpoint({
  method: 'POST',
  path: '/reduce/withdraw',
  access: ['reduce_list:launch', 'pedding_list:reduce'],
  menu: 'reduce_list',
  input: Type.Object({ reduceId: Id(), version: Version() }, strict),
  data: ReduceRow,
  audit: 'withdrawReduction',
  idempotency: 'required',
  summary: 'Withdraws an own request for a reduction',
})

export const revokeReduction = endpoint({
  method: 'POST',
  path: '/reduce/revoke',
  access: ['reduce_list:revoke'],
  menu: 'reduce_list',
  input: Type.Object({ reduceId: Id(), version: Version(), reason: Text(4, 200) }, strict),
  data: ReduceRow,
  audit: 'revokeReduction',
  idempotency: 'required',
  summary: 'Ends an approved reduction; fines of the days since stand again',
})
