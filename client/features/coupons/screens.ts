import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'loaned_management/coupon_list': () => import('./CouponsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
