import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/emi_manage/three_configure': () => import('./EmiServicesScreen.tsx'),
  'system/three_config': () => import('./VendorsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
