import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const MANAGER = ['manager']
const screen = pagesIn('loaned_management', 'coupons')

export const COUPONS_MENU: MenuItem[] = [
  {
    ...screen('coupon_list', 120),
    icon: 'credit-card',
    alsoShows: ['notice_list:add'],
    roles: ['director', 'manager', 'customer_service', 'group_leader'],
    actions: { add: MANAGER, edit: MANAGER, status: MANAGER, grant: MANAGER, revoke: MANAGER },
  },
]
