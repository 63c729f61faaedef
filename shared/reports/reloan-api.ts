import Type from 'typebox'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'

export const RELOAN_MEASURES = [
  'settledLoans',
  'reborrowed1',
  'reloanRate1',
  'reborrowed3',
  'reloanRate3',
  'reborrowed7',
  'reloanRate7',
  'reborrowed15',
  'reloanRate15',
  'reborrowed30',
  'reloanRate30',
  'reloanAmount',
  'limitRise',
  'reloanOverdueRate',
] as const

const text = Nullable(Type.String())

export const reloanReport = endpoint({
  method: 'GET',
  path: '/report/reloan',
  exports: [{ code: 'reloan_report:export' }],
  file: { path: '/export/report/reloan' },
  access: ['reloan_report:view'],
  menu: 'reloan_report',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['day', 'class', 'orderNo', 'channel'])),
    appId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
  }),
  data: ReportData(
    {
      /** IST day the loans were paid off, of rows by day. */
      day: text,
      customerClass: Nullable(OneOf(CUSTOMER_CLASSES)),
      /** Number of the loan among those of the customer; 5 and later ones together. */
      orderNo: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
      channelId: text,
      channelName: text,
    },
    measureFields(RELOAN_MEASURES),
  ),
  summary: 'How many customers borrow again, and how soon, after paying off a loan',
})
