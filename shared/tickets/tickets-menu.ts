import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'
import { ROLES } from '#shared/session/roles.ts'

const INTAKE = ['manager', 'customer_service']
const LOANED = [
  'manager',
  'customer_service',
  'collection_specialist',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const LOANED_LEADERS = ['manager', 'internal_supervisor']

const customerPage = pagesIn('customer_management', 'tickets')
const systemPage = pagesIn('system', 'tickets')

/** The ticket screens. */
export const TICKETS_MENU: MenuItem[] = [
  {
    name: 'customer_management',
    path: '/customer_management',
    component: 'Layout',
    parent: null,
    title: 'tickets:menu.customer_management',
    icon: 'people',
    visible: 0,
    sort: 100,
    actions: {},
    // every role: rows of all lists link to the page of their customer
    roles: ROLES.map((role) => role.mark),
  },
  {
    ...customerPage('user_feedback', 30),
    icon: 'comment',
    roles: ['director', 'manager', 'customer_service'],
    actions: {
      add: INTAKE,
      reply: INTAKE,
      resolve: INTAKE,
      transfer: INTAKE,
      superior: INTAKE,
      reveal: INTAKE,
      decide: ['manager'],
      reopen: ['manager'],
      distribute: ['manager'],
      export: ['director', 'manager'],
    },
  },
  {
    name: 'system',
    path: '/system',
    component: 'Layout',
    parent: null,
    title: 'tickets:menu.system',
    icon: 'cog',
    visible: 0,
    sort: 700,
    actions: {},
    // group leaders see the phone lines in this group
    roles: ['director', 'group_leader', ...LOANED],
  },
  {
    ...systemPage('operation_ticket', 50),
    icon: 'tag',
    roles: ['director', 'manager', 'customer_service'],
    actions: {
      reply: INTAKE,
      resolve: INTAKE,
      transfer: INTAKE,
      superior: INTAKE,
      reveal: INTAKE,
      decide: ['manager'],
      reopen: ['manager'],
      distribute: ['manager'],
      export: ['manager'],
    },
  },
  {
    ...systemPage('loaned_ticket', 60),
    icon: 'headset',
    roles: ['director', ...LOANED],
    actions: {
      reply: LOANED,
      resolve: LOANED,
      transfer: LOANED,
      superior: LOANED,
      reveal: INTAKE,
      decide: LOANED_LEADERS,
      reopen: LOANED_LEADERS,
      distribute: LOANED_LEADERS,
      export: ['manager'],
    },
    alsoShows: ['stop_collection:add'],
  },
]
