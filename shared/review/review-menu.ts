import type { MenuItem } from '#shared/kernel/permission.ts'

export const REVIEW_MENU: MenuItem[] = [
  {
    name: 'review_list',
    path: '/order_management/review_list',
    component: 'order_management/review_list',
    parent: 'order_management',
    title: 'review:menu.review_list',
    visible: 0,
    sort: 100,
    roles: ['director', 'manager', 'reviewer', 'quality_inspector'],
    actions: {
      claim: ['reviewer'],
      decide: ['reviewer'],
      escalate: ['reviewer'],
      ask: ['reviewer'],
      tele: ['reviewer'],
      handover: ['reviewer'],
      check: ['manager'],
      retry: ['manager'],
      assign: ['manager'],
      takeOver: ['manager'],
      approve: ['manager'],
      quality: ['quality_inspector'],
      appeal: ['reviewer'],
      appealDecide: ['manager'],
      reveal: ['manager', 'reviewer'],
      export: ['manager'],
    },
  },
]
