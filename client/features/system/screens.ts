import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/conf': () => import('./conf/ConfScreen.tsx'),
  'system/dict': () => import('./dict/DictScreen.tsx'),
  'system/phone_manangement': () => import('./lines/LinesScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
