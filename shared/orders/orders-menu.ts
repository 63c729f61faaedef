import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('order_management', 'orders')

export const ORDERS_MENU: MenuItem[] = [
  {
    name: 'order_management',
    path: '/order_management',
    component: 'Layout',
    parent: null,
    title: 'orders:menu.order_management',
    icon: 'credit-card',
    visible: 0,
    sort: 300,
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
      'reviewer',
      'quality_inspector',
    ],
  },
  {
    ...screen('order_list', 20),
    icon: 'list',
    roles: [
      'director',
      'manager',
      'customer_service',
      'internal_supervisor',
      'reviewer',
      'quality_inspector',
    ],
    actions: {
      cancel: ['manager', 'customer_service'],
      remark: ['manager', 'customer_service'],
      coolingOff: ['manager', 'customer_service'],
      cure: ['manager'],
      approve: ['director', 'manager'],
      reveal: ['manager', 'customer_service'],
      export: ['director', 'manager'],
    },
    alsoShows: [
      'repay_record:add',
      'repay_record:confirm',
      'repay_record:reverse',
      'repay_plan:link',
      'repay_proof:add',
      'reduce_list:launch',
      'flat_management:launch',
      'flat_management:operational',
      'wait_relent:redisburse',
      'wait_relent:cancel',
      'wait_relent:handle',
      'info:ticket',
      'info:reveal',
    ],
  },
]
