import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('order_management', 'review')

export const REVIEW_MENU: MenuItem[] = [
  {
    ...screen('review_list', 100),
    icon: 'endorsed',
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
