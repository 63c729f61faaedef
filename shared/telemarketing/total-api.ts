import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { SEGMENTS } from './tele-sets.ts'

export const TOTAL_GROUPS = ['day', 'person', 'segment', 'node', 'group'] as const

/**
 * What a total counts: tasks given, follow-ups, conversions, and coupons that were used. A conversion
 * is on the day of the follow-up that earned it.
 */
export const TOTAL_MEASURES = [
  'assigned',
  'followed',
  'connected',
  'agreed',
  'converted',
  'certified',
  'applied',
  'disbursed',
  'couponUsed',
] as const
export type TotalMeasure = (typeof TOTAL_MEASURES)[number]
/** Groups a row may be without. */
export const WITHOUT = ['person', 'node', 'group'] as const

const int = Type.Integer()
const rate = Nullable(int)
const maybe = Nullable(Type.String())

export const teleTotal = endpoint({
  method: 'GET',
  path: '/marketing/total',
  access: ['marketing_total:view'],
  menu: 'marketing_total',
  exports: [{ code: 'marketing_total:export' }],
  file: { path: '/export/marketing/total' },
  input: ReportInput({
    groupBy: Type.Optional(OneOf(TOTAL_GROUPS)),
    segment: Type.Optional(OneOf(SEGMENTS)),
    nodeId: Type.Optional(Id()),
    assigneeId: Type.Optional(Id()),
  }),
  data: ReportData(
    {
      day: maybe,
      /** Of the group of the row: a person, a segment, a node or a team; null = none. */
      key: maybe,
      name: maybe,
    },
    {
      assigned: int,
      followed: int,
      connected: int,
      connectRate: rate,
      agreed: int,
      certified: int,
      applied: int,
      disbursed: int,
      disbursedAmount: int,
      couponUsed: int,
      /** Converted customers of those followed up, basis points; 10,000 at most. */
      conversionRate: rate,
    },
  ),
  summary: 'Work and conversions of telemarketing by day, person, segment, node or group',
})

/** One thing a total counts. */
const CountedRow = Type.Object({
  rowId: Type.String(),
  /** Of a conversion: of the follow-up that earned it. */
  time: Type.String(),
  /** Who was given the task, wrote the follow-up, is credited, or gave the coupon. */
  personId: maybe,
  personName: maybe,
  groupName: maybe,
  taskId: Type.String(),
  userId: Type.String(),
  segment: OneOf(SEGMENTS),
  nodeId: maybe,
  nodeName: maybe,
  /** Of a follow-up. */
  result: Nullable(int),
  /** The loan that came of it, and its paise. */
  orderId: maybe,
  amount: Nullable(int),
  grantId: maybe,
})

export const totalRows = endpoint({
  method: 'GET',
  path: '/marketing/total/rows',
  access: ['marketing_total:view'],
  menu: 'marketing_total',
  exports: [{ code: 'marketing_total:export' }],
  input: ListInput({
    measure: OneOf(TOTAL_MEASURES),
    dateFrom: Day(),
    dateTo: Day(),
    segment: Type.Optional(OneOf(SEGMENTS)),
    nodeId: Type.Optional(Id()),
    assigneeId: Type.Optional(Id()),
    groupId: Type.Optional(Id()),
    /** Rows of nobody, of no node, or of nobody in a group. */
    without: Type.Optional(OneOf(WITHOUT)),
  }),
  data: ListData(CountedRow),
  summary: 'The rows that a figure of the totals counts',
})
