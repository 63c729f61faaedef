import type { DetailRoute, LoadScreen } from '#client/app/feature.ts'

export const screens: Record<string, LoadScreen> = {
  home_page: () => import('./HomePageScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
