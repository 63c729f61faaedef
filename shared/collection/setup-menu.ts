import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('loaned_management', 'collection')

/** Set-up of collection and its rules. */
export const SETUP_MENU: MenuItem[] = [
  {
    name: 'loaned_management',
    path: '/loaned_management',
    component: 'Layout',
    parent: null,
    title: 'collection:menu.loaned_management',
    icon: 'headset',
    visible: 0,
    sort: 400,
    actions: {},
    roles: [
      'director',
      'manager',
      'customer_service',
      'collection_specialist',
      'collector',
      'team_leader',
      'internal_supervisor',
      'external_supervisor',
      'quality_inspector',
    ],
  },
  {
    ...screen('overdue_stage', 10),
    icon: 'th-list',
    roles: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: { add: ['manager'], edit: ['manager'] },
    alsoShows: ['pedding_list:auto'],
  },
  {
    ...screen('urge_agencies', 20),
    icon: 'projects',
    roles: ['director', 'manager', 'internal_supervisor', 'external_supervisor'],
    actions: { add: ['manager'], edit: ['manager'], weight: ['manager'] },
  },
  {
    ...screen('urge_person', 30),
    icon: 'people',
    roles: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: {
      add: ['manager', 'internal_supervisor', 'external_supervisor'],
      edit: ['manager', 'internal_supervisor', 'external_supervisor'],
      status: ['manager', 'internal_supervisor', 'external_supervisor'],
      allocation: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    },
  },
  {
    ...screen('urge_schedule', 40),
    icon: 'calendar',
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
      edit: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
      copy: ['manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
      import: ['manager', 'internal_supervisor', 'external_supervisor'],
    },
  },
  {
    ...screen('collect_config', 140),
    icon: 'wrench',
    roles: ['director', 'manager', 'internal_supervisor'],
    actions: { edit: ['manager'] },
  },
]
