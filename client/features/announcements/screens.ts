import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/notice_list': () => import('./AnnouncementsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
