import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'

/** Overdue days of an order when money came. */
export const PAID_BUCKETS = [
  'T0',
  'T1',
  'T2',
  'T3',
  'T4',
  'T5',
  'T6',
  'T7',
  '8-10',
  '11-30',
  '30+',
] as const

export const RECALL_GROUPS = ['week', 'day', 'month', 'stage', 'bucket'] as const

export const RECALL_MEASURES = [
  'bills',
  'collectedAmount',
  'heldAmount',
  'cameAmount',
  'collectedRate',
] as const

const text = Nullable(Type.String())

export const recallTrend = endpoint({
  method: 'GET',
  path: '/report/trend/recall',
  exports: [{ code: 'Recall_trend:export' }],
  file: { path: '/export/report/data', when: { report: ['recall'] } },
  access: ['Recall_trend:view'],
  menu: 'Recall_trend',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(RECALL_GROUPS)),
    /** Comma separated. */
    stageId: Type.Optional(Type.String({ maxLength: 80, pattern: '^[A-Z]\\d(,[A-Z]\\d)*$' })),
    agencyId: Type.Optional(Id()),
  }),
  data: ReportData(
    {
      /** First IST day of the period, of rows by day, week or month. */
      day: text,
      /** Of rows by stage or by period, which has a row per stage. */
      stageId: text,
      bucket: Nullable(OneOf(PAID_BUCKETS)),
    },
    measureFields(RECALL_MEASURES),
  ),
  summary: 'Overdue money recovered by collection, by stage and time, stage, or overdue days',
})
