import Type from 'typebox'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput, ReportRows } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'

export const APPROVE_MEASURES = [
  'applications',
  'autoPassed',
  'autoFailed',
  'undecided',
  'limitFailed',
  'manualPassed',
  'manualFailed',
  'approvalRate',
  'disbursed',
  'paidOutRate',
] as const

export const approveReport = endpoint({
  method: 'GET',
  path: '/report/approve',
  exports: [{ code: 'approve_conversions:export' }],
  file: { path: '/export/report/data', when: { report: ['approve'] } },
  access: ['approve_conversions:view'],
  menu: 'approve_conversions',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['day', 'product', 'class'])),
    appId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
    customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
  }),
  data: ReportData(
    {
      /** IST day, of rows by day. */
      day: Nullable(Type.String()),
      productId: Nullable(Type.String()),
      productName: Nullable(Type.String()),
      customerClass: Nullable(OneOf(CUSTOMER_CLASSES)),
    },
    measureFields(APPROVE_MEASURES),
  ),
  summary: 'Outcomes of applications, by day, product or class of the customer',
})

export const RISK_GROUPS = ['route', 'rule', 'code', 'share'] as const

export const RISK_MEASURES = [
  'hits',
  'hitRate',
  'overrides',
  'firstDefaultRate',
  'overdueT7Rate',
  'overdueT30Rate',
  'averageLimit',
] as const

export const riskReport = endpoint({
  method: 'GET',
  path: '/report/approve/risk',
  exports: [{ code: 'approve_conversions:export' }],
  file: { path: '/export/report/data', when: { report: ['risk'] } },
  access: ['approve_conversions:view'],
  menu: 'approve_conversions',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(RISK_GROUPS)),
    appId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
    customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
  }),
  // an application may hit several rules, so their sum counts nothing
  data: ReportRows(
    {
      /**
       * A route (`auto`, `manual`), the id of a rule, a code of refusal, or the side of a share
       * (`RT1001:champion`, `RT1001:challenger`).
       */
      key: Type.String(),
      /** Of a rule; of a share its rule and version and, in per cent, its part of the applications. */
      name: Nullable(Type.String()),
    },
    measureFields(RISK_MEASURES),
  ),
  summary: 'Applications by rule, refusal code, route of approval or share, and how they paid',
})
