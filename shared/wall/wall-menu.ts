import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('loaned_management', 'wall')

/** The collection board. */
export const WALL_MENU: MenuItem[] = [
  {
    ...screen('loaned_board', 110),
    icon: 'dashboard',
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
