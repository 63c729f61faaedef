import type { DataScope } from '#shared/kernel/permission.ts'

/** The built-in roles. The mark is fixed; names, menus and buttons can be edited later. */
export interface BuiltInRole {
  mark: string
  name: string
  scope: DataScope
  roleFlag: number
  landing: string
}

export const ADMINISTRATOR = 'administrator'

export const ROLES: readonly BuiltInRole[] = [
  {
    mark: 'administrator',
    name: 'Administrator',
    scope: 'all',
    roleFlag: 0,
    landing: '/home_page',
  },
  { mark: 'director', name: 'Director', scope: 'all', roleFlag: 1, landing: '/home_manage/home' },
  { mark: 'manager', name: 'Manager', scope: 'all', roleFlag: 1, landing: '/home_page' },
  {
    mark: 'customer_service',
    name: 'Customer service',
    scope: 'all',
    roleFlag: 2,
    landing: '/customer_management/user_feedback',
  },
  {
    mark: 'group_leader',
    name: 'Group leader',
    scope: 'group',
    roleFlag: 3,
    landing: '/customer_management/marketing_center/marketing_total',
  },
  { mark: 'salesman', name: 'Salesman', scope: 'own', roleFlag: 3, landing: '/home_page' },
  {
    mark: 'tele_uncertified',
    name: 'Telemarketer, uncertified',
    scope: 'own',
    roleFlag: 3,
    landing: '/customer_management/marketing_center/no_certified',
  },
  {
    mark: 'tele_unborrowed',
    name: 'Telemarketer, credit not borrowed',
    scope: 'own',
    roleFlag: 3,
    landing: '/customer_management/marketing_center/unrequished',
  },
  {
    mark: 'tele_unreborrowed',
    name: 'Telemarketer, settled not re-borrowed',
    scope: 'own',
    roleFlag: 3,
    landing: '/customer_management/marketing_center/no_relented',
  },
  {
    mark: 'tele_loanfailed',
    name: 'Telemarketer, disbursement failed',
    scope: 'own',
    roleFlag: 3,
    landing: '/customer_management/marketing_center/loan_failed',
  },
  {
    mark: 'collection_specialist',
    name: 'Collection specialist',
    scope: 'own',
    roleFlag: 4,
    landing: '/loaned_management/pedding_list',
  },
  {
    mark: 'collector',
    name: 'Collector',
    scope: 'own',
    roleFlag: 4,
    landing: '/loaned_management/pedding_list',
  },
  {
    mark: 'team_leader',
    name: 'Team leader',
    scope: 'group',
    roleFlag: 4,
    landing: '/loaned_management/pedding_list',
  },
  {
    mark: 'internal_supervisor',
    name: 'Internal supervisor',
    scope: 'department',
    roleFlag: 4,
    landing: '/loaned_management/loaned_board',
  },
  {
    mark: 'external_supervisor',
    name: 'External supervisor',
    scope: 'agency',
    roleFlag: 4,
    landing: '/loaned_management/loaned_board',
  },
  {
    mark: 'reviewer',
    name: 'Reviewer',
    scope: 'queue',
    roleFlag: 5,
    landing: '/order_management/review_list',
  },
  {
    mark: 'quality_inspector',
    name: 'Quality inspector',
    scope: 'queue',
    roleFlag: 5,
    landing: '/order_management/review_list',
  },
]
