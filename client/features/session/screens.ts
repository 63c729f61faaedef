import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  home_page: () => import('./HomePageScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}

/** Pages the frame shows for an unknown address, or one this session may not open. */
export const statusPages: Record<'notFound' | 'notPermitted', LoadScreen> = {
  notFound: () => import('./NotFoundScreen.tsx'),
  notPermitted: () => import('./NotPermittedScreen.tsx'),
}
