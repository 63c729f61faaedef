import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const ROLES = [
  'director',
  'manager',
  'customer_service',
  'collection_specialist',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]
const COLLECTORS = ['collection_specialist', 'collector', 'team_leader']
const DECIDERS = ['director', 'manager', 'internal_supervisor', 'team_leader']

const screen = pagesIn('order_management', 'repayments')

export const REPAYMENTS_MENU: MenuItem[] = [
  {
    ...screen('repay_plan', 30),
    icon: 'time',
    roles: ROLES,
    actions: { link: ['manager', 'customer_service'], export: ['director', 'manager'] },
    alsoShows: [
      'repay_record:add',
      'repay_record:confirm',
      'repay_record:reverse',
      'order_list:coolingOff',
      'reduce_list:launch',
      'flat_management:launch',
      'flat_management:operational',
      'repay_proof:add',
      'info:reveal',
    ],
  },
  {
    ...screen('repay_record', 40),
    icon: 'history',
    roles: ROLES,
    actions: {
      add: ['manager', 'customer_service'],
      confirm: ['manager'],
      reverse: ['manager'],
      approve: ['director', 'manager'],
      export: ['director', 'manager'],
    },
    alsoShows: ['order_list:coolingOff', 'info:reveal'],
  },
  {
    ...screen('reduce_list', 60),
    icon: 'arrow-down',
    roles: [
      'director',
      'manager',
      'customer_service',
      'collection_specialist',
      'collector',
      'team_leader',
      'internal_supervisor',
      'external_supervisor',
    ],
    actions: {
      launch: [
        'manager',
        'collection_specialist',
        'collector',
        'team_leader',
        'internal_supervisor',
        'external_supervisor',
      ],
      decide: DECIDERS,
      revoke: DECIDERS,
      export: ['director', 'manager', 'internal_supervisor'],
    },
  },
  {
    ...screen('flat_management', 70),
    icon: 'confirm',
    roles: ['director', 'manager', 'customer_service', 'internal_supervisor'],
    actions: {
      launch: ['manager'],
      operational: ['director', 'manager'],
      batch: ['manager'],
      approve: ['director'],
      export: ['director', 'manager'],
    },
    alsoShows: ['repay_record:confirm'],
  },
  {
    ...screen('repay_proof', 90),
    icon: 'manual',
    roles: [
      'director',
      'manager',
      'customer_service',
      'collection_specialist',
      'collector',
      'team_leader',
      'internal_supervisor',
      'external_supervisor',
    ],
    actions: {
      add: ['manager', 'customer_service', ...COLLECTORS],
      decide: ['manager', 'customer_service'],
      export: ['manager'],
    },
  },
]
