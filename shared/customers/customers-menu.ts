import type { MenuItem } from '#shared/kernel/permission.ts'
import { ROLES } from '#shared/session/roles.ts'

const SERVICE = ['manager', 'customer_service']

/** Menus of the customer screens. */
export const CUSTOMERS_MENU: MenuItem[] = [
  {
    name: 'customer_list',
    path: '/customer_management/customer_list',
    component: 'customer_management/customer_list',
    parent: 'customer_management',
    title: 'customers:menu.customer_list',
    visible: 0,
    sort: 10,
    roles: [
      'director',
      'manager',
      'customer_service',
      'group_leader',
      'internal_supervisor',
      'reviewer',
      'quality_inspector',
    ],
    actions: { reveal: SERVICE, blacklist: ['manager'], export: ['manager'] },
  },
  {
    name: 'info',
    path: '/customer_management/info',
    component: 'customer_management/info',
    parent: 'customer_management',
    title: 'customers:menu.info',
    visible: 1,
    sort: 20,
    roles: ROLES.map((role) => role.mark).filter((mark) => mark !== 'administrator'),
    actions: { reveal: SERVICE, edit: SERVICE, photo: ['manager'], ticket: SERVICE },
    // the review workspace shows the same photos and fields
    alsoShows: [
      'customer_list:blacklist',
      'review_list:reveal',
      'review_list:decide',
      'review_list:quality',
    ],
  },
]
