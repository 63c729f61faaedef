import Type from 'typebox'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { GRAINS } from '#shared/kernel/grain.ts'
import { ReportData, ReportInput, ReportRows } from '#shared/kernel/report.ts'
import { BUCKET_NAMES, CURVE_FIRST, CURVE_LAST } from './buckets.ts'
import { measureFields } from './measures.ts'

export const ORDER_TAGS = ['firstLoan', 'reLoan', 'extension'] as const

const filters = {
  appId: Type.Optional(Id()),
  productId: Type.Optional(Id()),
  tag: Type.Optional(OneOf(ORDER_TAGS)),
  customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
}
const text = Nullable(Type.String())

export const REPAYMENT_MEASURES = [
  'duePlans',
  'dueAmount',
  'earlyPlans',
  'earlyAmount',
  'onTimePlans',
  'onTimeAmount',
  'latePlans',
  'lateAmount',
  'extendedPlans',
  'reducedAmount',
  'writtenOffAmount',
  'openAmount',
  'onTimeRate',
] as const

export const repaymentReport = endpoint({
  method: 'GET',
  path: '/report/repayment',
  exports: [{ code: 'repayment_statistics:export' }],
  file: { path: '/export/report/data', when: { report: ['repayment'] } },
  access: ['repayment_statistics:view'],
  menu: 'repayment_statistics',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['day', 'product', 'tag', 'class'])),
    ...filters,
  }),
  data: ReportData(
    {
      /** IST due day, of rows by day. */
      day: text,
      productId: text,
      productName: text,
      tag: Nullable(OneOf(ORDER_TAGS)),
      customerClass: Nullable(OneOf(CUSTOMER_CLASSES)),
    },
    measureFields(REPAYMENT_MEASURES),
  ),
  summary: 'Due amounts and when they were paid, by due day, product, tag or class',
})

export const BUCKET_MEASURES = [
  'cohortPlans',
  'overduePlans',
  'overdueAmount',
  'overdueCountRate',
  'overdueRate',
  'recoveryCountRate',
  'recoveryRate',
] as const

export const bucketReport = endpoint({
  method: 'GET',
  path: '/report/repayment/bucket',
  exports: [{ code: 'repayment_statistics:export' }],
  file: { path: '/export/report/data', when: { report: ['bucket'] } },
  access: ['repayment_statistics:view'],
  menu: 'repayment_statistics',
  input: ReportInput({ groupBy: Type.Optional(OneOf(['bucket', 'day'])), ...filters }),
  // a bucket is a part of the ones before, so their sum counts nothing
  data: ReportRows({ bucket: OneOf(BUCKET_NAMES), day: text }, measureFields(BUCKET_MEASURES)),
  summary: 'Overdue and recovered instalments by bucket, of all due days or of each',
})

export const RECYCLING_MEASURES = ['repaidShare'] as const

export const recyclingTrend = endpoint({
  method: 'GET',
  path: '/report/trend/recycling',
  exports: [{ code: 'Recycling_trend:export' }],
  file: { path: '/export/report/data', when: { report: ['recycling'] } },
  access: ['Recycling_trend:view'],
  menu: 'Recycling_trend',
  input: ReportInput({ grain: Type.Optional(OneOf(GRAINS)), ...filters }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        /** Days after the due day. */
        at: Type.Integer({ minimum: CURVE_FIRST + 1, maximum: CURVE_LAST - 1 }),
        /** First IST day of the due days, or `all` of them. */
        cohort: Type.String(),
        ...measureFields(RECYCLING_MEASURES),
      }),
    ),
    asOf: Type.String(),
    isFilling: Type.Boolean(),
  }),
  summary: 'Share of what was due that was repaid, by the days since',
})
