/** Lists whose filters select exactly what a measure counts. */
import type { Rows } from './report-measures.ts'

export const REGISTRATIONS: Rows = {
  menu: 'customer_list',
  path: '/customer_management/customer_list',
  days: 'registerTime',
}
export const CERTIFIED: Rows = { ...REGISTRATIONS, filters: { certified: ['true'] } }
/** An order has one of three tags; one that an extension opened is no application. */
export const APPLICATIONS: Rows = {
  menu: 'order_list',
  path: '/order_management/order_list',
  days: 'createTime',
  filters: { tags: ['firstLoan', 'reLoan'] },
}
export const DISBURSED: Rows = {
  menu: 'loan_list',
  path: '/order_management/loan_list',
  days: 'disburseTime',
  filters: { tags: ['firstLoan', 'reLoan'] },
}
