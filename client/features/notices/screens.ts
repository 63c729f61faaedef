import type { DetailRoute, LoadScreen } from '#client/app/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/notice_list': () => import('./NoticesScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
