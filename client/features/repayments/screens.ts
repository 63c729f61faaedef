import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'order_management/repay_plan': () => import('./list/PlanListScreen.tsx'),
  'order_management/repay_record': () => import('./list/RecordListScreen.tsx'),
  'order_management/flat_management': () => import('./writeoffs/WriteOffListScreen.tsx'),
  'order_management/repay_proof': () => import('./proofs/ProofListScreen.tsx'),
  'order_management/reduce_list': () => import('./reductions/ReductionListScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/detail1': {
    load: () => import('./detail/PlanDetailScreen.tsx'),
    idParam: 'planId',
    title: 'repayments:detail.title',
    menus: [
      'repay_plan',
      'repay_record',
      'reduce_list',
      'flat_management',
      'pedding_list',
      'peded_list',
    ],
  },
}
