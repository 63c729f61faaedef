import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('order_management', 'collection')

/** Requests to move cases and the log of moves. */
export const ALLOCATION_MENU: MenuItem[] = [
  {
    ...screen('change_case', 80),
    icon: 'swap-horizontal',
    roles: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: {
      launch: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
      decide: ['manager', 'internal_supervisor'],
      export: ['manager', 'internal_supervisor', 'external_supervisor'],
    },
  },
]
