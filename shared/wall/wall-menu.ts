import type { MenuItem } from '#shared/kernel/permission.ts'

/** The collection board. */
export const WALL_MENU: MenuItem[] = [
  {
    name: 'loaned_board',
    path: '/loaned_management/loaned_board',
    component: 'loaned_management/loaned_board',
    parent: 'loaned_management',
    title: 'wall:menu.loaned_board',
    visible: 0,
    sort: 110,
    roles: [
      'director',
      'manager',
      'collection_specialist',
      'collector',
      'team_leader',
      'internal_supervisor',
      'external_supervisor',
    ],
    actions: {
      pair: ['manager', 'internal_supervisor', 'external_supervisor'],
      ack: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    },
  },
]
