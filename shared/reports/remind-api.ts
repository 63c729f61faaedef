import Type from 'typebox'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportInput, ReportRows } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'
import { ORDER_TAGS } from './repayment-api.ts'

/** First day, counted from the due day, on which customers are reminded. */
export const REMIND_FIRST = -3

export const REMIND_MEASURES = [
  'openBefore',
  'reminders',
  'robotCalls',
  'remindedPlans',
  'remindedRate',
  'paidBeforeDue',
  'paidBeforeDueRate',
  'remindedPaidRate',
] as const

export const remindReport = endpoint({
  method: 'GET',
  path: '/report/repayment/remind',
  exports: [{ code: 'repayment_statistics:export' }],
  file: { path: '/export/report/data', when: { report: ['preRemind'] } },
  access: ['repayment_statistics:view'],
  menu: 'repayment_statistics',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['at', 'day'])),
    appId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
    tag: Type.Optional(OneOf(ORDER_TAGS)),
    customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
  }),
  // an instalment is in the rows of several days before, so their sum counts nothing
  data: ReportRows(
    {
      /** Days after the due day: -3 to 0. */
      at: Type.Integer({ minimum: REMIND_FIRST, maximum: 0 }),
      /** IST due day, of rows by due day. */
      day: Nullable(Type.String()),
    },
    measureFields(REMIND_MEASURES),
  ),
  summary: 'Reminders of the days before instalments fall due, and how many were paid in time',
})
