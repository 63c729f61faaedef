import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'order_management/review_list': () => import('./list/ReviewListScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/detail2': {
    load: () => import('./desk/ReviewDeskScreen.tsx'),
    idParam: 'reviewId',
    title: 'review:detail.title',
    menus: ['review_list'],
  },
}
