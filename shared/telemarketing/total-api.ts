import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { SEGMENTS } from './tele-sets.ts'

export const TOTAL_GROUPS = ['day', 'person', 'segment', 'node', 'group'] as const

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
      /** Converted tasks of those followed up, basis points. */
      conversionRate: rate,
    },
  ),
  summary: 'Work and conversions of telemarketing by day, person, segment, node or group',
})
