import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const DESK = [
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const LEADERS = ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor']

const screen = pagesIn('loaned_management', 'collection')

/** The collectors' screens. */
export const WORK_MENU: MenuItem[] = [
  {
    ...screen('pedding_list', 50),
    icon: 'inbox',
    roles: ['director', 'manager', 'customer_service', ...DESK],
    actions: {
      follow: DESK,
      call: DESK,
      contacts: DESK,
      link: DESK,
      ticket: DESK,
      stop: DESK,
      reduce: DESK,
      proof: ['collection_specialist', 'collector', 'team_leader'],
      allocate: LEADERS,
      auto: ['manager', 'internal_supervisor'],
      recall: LEADERS,
      end: ['manager', 'internal_supervisor'],
      reveal: ['manager', 'internal_supervisor'],
      export: ['manager', 'internal_supervisor', 'external_supervisor'],
    },
    alsoShows: ['stop_collection:resume'],
  },
  {
    ...screen('peded_list', 60),
    icon: 'tick-circle',
    roles: ['director', 'manager', 'customer_service', ...DESK, 'quality_inspector'],
    actions: { reveal: ['manager', 'internal_supervisor'], export: ['director', ...LEADERS] },
  },
  {
    ...screen('stop_collection', 130),
    icon: 'ban-circle',
    roles: [
      'director',
      'manager',
      'customer_service',
      'collection_specialist',
      'team_leader',
      'internal_supervisor',
      'external_supervisor',
    ],
    actions: {
      add: [...LEADERS, 'customer_service', 'collection_specialist'],
      decide: [...LEADERS, 'director', 'customer_service'],
      resume: LEADERS,
      export: ['manager', 'internal_supervisor'],
    },
  },
]
