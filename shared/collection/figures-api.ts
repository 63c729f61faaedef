import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'

/** Figures of collection. Days are IST days, both ends included; paise and basis points. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const rate = Nullable(int)

/** Longest range of days. */
export const FIGURE_DAYS = 92
export const PERFORMANCE_GROUPS = [
  'collector',
  'group',
  'department',
  'agency',
  'stage',
  'day',
] as const

const range = { dateFrom: Day(), dateTo: Day() }
const stageId = Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Z]\\d(,[A-Z]\\d)*$' }))
const units = {
  stageId,
  agencyId: Type.Optional(Id()),
  departmentId: Type.Optional(Id()),
  groupId: Type.Optional(Id()),
  collectorId: Type.Optional(Id()),
}

const counts = {
  /** Cases given in the range, each once, and their outstanding then. */
  allocatedCases: int,
  allocatedAmount: int,
  /** Cases with a contact recorded in the range. */
  contacted: int,
  calls: int,
  /** Recorded contacts that reached a person, of all recorded. */
  reachRate: rate,
  followCount: int,
  ptpCount: int,
  /** Kept, of the promises settled in the range. */
  ptpKeptRate: rate,
  recoveredCases: int,
  recoveredAmount: int,
  /** Recovered, of what was given. */
  recoveryRate: rate,
  reducedAmount: int,
  avgFirstContactSec: rate,
}

export const PerformanceRow = Type.Object({
  /** Id of the person, unit or stage, or the IST day. */
  key: text,
  name: text,
  /** Parent unit. */
  unitName: maybe,
  ...counts,
  /** By recovered amount; for a viewer of scope own among the people of the group. */
  rank: rate,
})

export const listPerformance = endpoint({
  method: 'GET',
  path: '/collection/performance/list',
  exports: [{ code: 'urge_performance:export' }],
  file: { path: '/export/collection/performance' },
  access: ['urge_performance:view'],
  menu: 'urge_performance',
  input: ListInput({ ...range, groupBy: OneOf(PERFORMANCE_GROUPS), ...units }),
  data: Type.Object({
    ...ListData(PerformanceRow).properties,
    /** All lines together: a case with several holders counts once. */
    sum: Type.Object(counts),
    /** How many are ranked. */
    ranked: int,
  }),
  summary: 'Counts and amounts of collection per person, unit, stage or day',
})

const measures = {
  collectors: int,
  online: int,
  onDuty: int,
  openCases: int,
  outstanding: int,
  allocatedCases: int,
  allocatedAmount: int,
  recovered: int,
  recoveryRate: rate,
  commission: int,
}
export const AgencyLine = Type.Object({ id: text, name: text, unitName: maybe, ...measures })

export const agencyDetail = endpoint({
  method: 'GET',
  path: '/collection/agency/detail',
  access: ['agency_detail:view'],
  menu: 'agency_detail',
  input: Type.Object({ ...range, agencyId: Id(), stageId }),
  data: Type.Object({
    agency: Type.Object({
      agencyId: text,
      name: text,
      inHouse: Type.Boolean(),
      status: text,
      weight: int,
      ...measures,
    }),
    /** The share of the cases given in the range that came to this agency. */
    actualShare: rate,
    departments: Type.Array(AgencyLine),
    groups: Type.Array(AgencyLine),
    people: Type.Array(AgencyLine),
    stages: Type.Array(AgencyLine),
    asOf: text,
  }),
  summary: 'One agency against its weight, and its parts',
})

export const AGENCY_LEVELS = ['people', 'groups', 'departments', 'stages'] as const

export const listAgencyLines = endpoint({
  method: 'GET',
  path: '/collection/agency/lines',
  exports: [{ code: 'agency_detail:export' }],
  file: { path: '/export/collection/performance', when: { level: [...AGENCY_LEVELS] } },
  access: ['agency_detail:view'],
  menu: 'agency_detail',
  input: ListInput({ ...range, agencyId: Id(), stageId, level: OneOf(AGENCY_LEVELS) }),
  data: ListData(AgencyLine),
  summary: 'Parts of one agency of one kind, as a list',
})

export const BillRow = Type.Object({
  billId: text,
  recordId: text,
  orderId: text,
  caseId: text,
  userName: text,
  stageId: text,
  overdueDays: int,
  amount: int,
  principal: int,
  fees: int,
  channel: int,
  payTime: text,
  agencyName: maybe,
  groupName: maybe,
  collectorId: maybe,
  collectorName: maybe,
  extension: Type.Boolean(),
  commission: int,
})

export const listBills = endpoint({
  method: 'GET',
  path: '/collection/recycle/list',
  exports: [{ code: 'recycle_bill:export' }],
  file: { path: '/export/collection/repayment' },
  access: ['recycle_bill:view'],
  menu: 'recycle_bill',
  input: ListInput({
    ...range,
    recordId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    ...units,
    channel: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  }),
  data: Type.Object({
    ...ListData(BillRow).properties,
    sum: Type.Object({ bills: int, amount: int, principal: int, fees: int, commission: int }),
  }),
  summary: 'Payments credited to the holder of the case at the time of payment',
})

export const ReductionRow = Type.Object({
  reduceId: text,
  orderId: text,
  caseId: maybe,
  userName: text,
  stageId: maybe,
  amountDue: int,
  reduceAmount: int,
  usedAmount: int,
  recoveredAmount: int,
  capUse: int,
  state: OneOf(REDUCTION_STATES),
  cause: maybe,
  launchBy: text,
  launchTime: text,
  decideBy: maybe,
  usedTime: maybe,
  agencyName: maybe,
  groupName: maybe,
  collectorId: maybe,
  collectorName: maybe,
})

export const listReductionBills = endpoint({
  method: 'GET',
  path: '/collection/decrease/list',
  exports: [{ code: 'decrease_bill:export' }],
  file: { path: '/export/collection/reduce', when: { type: ['bill'] } },
  access: ['decrease_bill:view'],
  menu: 'decrease_bill',
  input: ListInput({
    ...range,
    reduceId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    ...units,
    state: Type.Optional(OneOf(REDUCTION_STATES)),
  }),
  data: Type.Object({
    ...ListData(ReductionRow).properties,
    sum: Type.Object({ reductions: int, reduceAmount: int, usedAmount: int, recoveredAmount: int }),
  }),
  summary: 'Reductions per person and unit, against the cap of the role',
})
