import type { MenuItem } from '#shared/kernel/permission.ts'

const ROLES = ['director', 'manager', 'customer_service', 'collection_specialist', 'team_leader', 'internal_supervisor', 'external_supervisor']
const COLLECTORS = ['collection_specialist', 'collector', 'team_leader']
const DECIDERS = ['director', 'manager', 'internal_supervisor', 'team_leader']

export const REPAYMENTS_MENU: MenuItem[] = [
  {
    name: 'repay_plan', path: '/order_management/repay_plan', component: 'order_management/repay_plan', parent: 'order_management', title: 'repayments:menu.repay_plan', visible: 0, sort: 30, roles: ROLES,
    actions: { link: ['manager', 'customer_service'], export: ['director', 'manager'] },
    alsoShows: ['repay_record:add', 'repay_record:confirm', 'repay_record:reverse', 'order_list:coolingOff', 'reduce_list:launch', 'flat_management:launch', 'flat_management:operational', 'repay_proof:add', 'info:reveal'],
  },
  {
    name: 'repay_record', path: '/order_management/repay_record', component: 'order_management/repay_record', parent: 'order_management', title: 'repayments:menu.repay_record', visible: 0, sort: 40, roles: ROLES,
    actions: { add: ['manager', 'customer_service'], confirm: ['manager'], reverse: ['manager'], approve: ['director', 'manager'], export: ['director', 'manager'] },
    alsoShows: ['order_list:coolingOff', 'info:reveal'],
  },
  {
    name: 'reduce_list', path: '/order_management/reduce_list', component: 'order_management/reduce_list', parent: 'order_management', title: 'repayments:menu.reduce_list', visible: 0, sort: 60,
    roles: ['director', 'manager', 'customer_service', 'collection_specialist', 'collector', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: {
      launch: ['manager', 'collection_specialist', 'collector', 'team_leader', 'internal_supervisor', 'external_supervisor'],
      decide: DECIDERS,
      revoke: DECIDERS,
      export: ['director', 'manager', 'internal_supervisor'],
    },
  },
  {
    name: 'flat_management', path: '/order_management/flat_management', component: 'order_management/flat_management', parent: 'order_management', title: 'repayments:menu.flat_management', visible: 0, sort: 70,
    roles: ['director', 'manager', 'customer_service', 'internal_supervisor'],
    actions: { launch: ['manager'], operational: ['director', 'manager'], batch: ['manager'], approve: ['director'], export: ['director', 'manager'] },
    alsoShows: ['repay_record:confirm'],
  },
  {
    name: 'repay_proof', path: '/order_management/repay_proof', component: 'order_management/repay_proof', parent: 'order_management', title: 'repayments:menu.repay_proof', visible: 0, sort: 90,
    roles: ['director', 'manager', 'customer_service', 'collection_specialist', 'collector', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    actions: { add: ['manager', 'customer_service', ...COLLECTORS], decide: ['manager', 'customer_service'], export: ['manager'] },
  },
]
