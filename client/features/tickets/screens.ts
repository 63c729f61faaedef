import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'customer_management/user_feedback': () => import('./list/FeedbackScreen.tsx'),
  'system/operation_ticket': () => import('./list/OperationScreen.tsx'),
  'system/loaned_ticket': () => import('./list/LoanedScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/detail4': {
    load: () => import('./desk/TicketDetailScreen.tsx'),
    idParam: 'feedbackId',
    title: 'tickets:detail.title',
    menus: ['operation_ticket', 'loaned_ticket', 'user_feedback'],
  },
}
