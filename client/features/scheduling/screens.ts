import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/timed_task': () => import('./TasksScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
