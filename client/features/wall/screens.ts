import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'loaned_management/loaned_board': () => import('./desk/BoardScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
