import type { MenuItem } from '#shared/kernel/permission.ts'

/** Requests to move cases and the log of moves. */
export const ALLOCATION_MENU: MenuItem[] = [
  {
    name: 'change_case',
    path: '/order_management/change_case',
    component: 'order_management/change_case',
    parent: 'order_management',
    title: 'collection:menu.change_case',
    visible: 0,
    sort: 80,
    roles: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: {
      launch: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
      decide: ['manager', 'internal_supervisor'],
      export: ['manager', 'internal_supervisor', 'external_supervisor'],
    },
  },
]
