import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'
import { ROLES } from '#shared/session/roles.ts'

const SERVICE = ['manager', 'customer_service']

const screen = pagesIn('customer_management', 'customers')

/** Menus of the customer screens. */
export const CUSTOMERS_MENU: MenuItem[] = [
  {
    ...screen('customer_list', 10),
    icon: 'person',
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
    alsoShows: ['info:coupon'],
  },
  {
    ...screen('info', 20),
    visible: 1,
    roles: ROLES.map((role) => role.mark).filter((mark) => mark !== 'administrator'),
    actions: {
      reveal: SERVICE,
      edit: SERVICE,
      photo: ['manager'],
      coupon: [...SERVICE, 'group_leader'],
      ticket: SERVICE,
    },
    // the review workspace shows the same photos and fields
    alsoShows: [
      'customer_list:blacklist',
      'review_list:reveal',
      'review_list:decide',
      'review_list:quality',
    ],
  },
]
