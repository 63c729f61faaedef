import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

/** Menus of loans from disbursement onward and of failed disbursements, beside the order list. */
const screen = pagesIn('order_management', 'orders')

export const DISBURSEMENT_MENU: MenuItem[] = [
  {
    ...screen('loan_list', 10),
    icon: 'bank-account',
    roles: ['director', 'manager', 'customer_service', 'internal_supervisor'],
    actions: {
      transfer: ['director', 'manager', 'customer_service', 'internal_supervisor'],
      export: ['director', 'manager'],
      payout: ['manager'],
      reveal: ['manager'],
    },
    alsoShows: ['wait_relent:redisburse', 'wait_relent:cancel', 'wait_relent:handle'],
  },
  {
    ...screen('wait_relent', 50),
    icon: 'redo',
    roles: ['director', 'manager', 'customer_service'],
    actions: {
      redisburse: ['manager'],
      cancel: ['manager'],
      handle: ['manager'],
      export: ['manager'],
      approve: ['director', 'manager'],
    },
  },
]
