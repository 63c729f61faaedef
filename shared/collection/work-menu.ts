import type { MenuItem } from '#shared/kernel/permission.ts'

const DESK = [
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const LEADERS = ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor']

/** The collectors' screens. */
export const WORK_MENU: MenuItem[] = [
  {
    name: 'pedding_list',
    path: '/loaned_management/pedding_list',
    component: 'loaned_management/pedding_list',
    parent: 'loaned_management',
    title: 'collection:menu.pedding_list',
    visible: 0,
    sort: 50,
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
    name: 'peded_list',
    path: '/loaned_management/peded_list',
    component: 'loaned_management/peded_list',
    parent: 'loaned_management',
    title: 'collection:menu.peded_list',
    visible: 0,
    sort: 60,
    roles: ['director', 'manager', 'customer_service', ...DESK, 'quality_inspector'],
    actions: { reveal: ['manager', 'internal_supervisor'], export: ['director', ...LEADERS] },
  },
  {
    name: 'stop_collection',
    path: '/loaned_management/stop_collection',
    component: 'loaned_management/stop_collection',
    parent: 'loaned_management',
    title: 'collection:menu.stop_collection',
    visible: 0,
    sort: 130,
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
