import type { DetailRoute, LoadScreen } from '#client/app/feature.ts'

export const screens: Record<string, LoadScreen> = {
  home_page: () => import('./HomePageScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}

/** What the frame shows when an address leads nowhere, or nowhere this session may go. */
export const notices: Record<'notFound' | 'notPermitted', LoadScreen> = {
  notFound: () => import('./NotFoundScreen.tsx'),
  notPermitted: () => import('./NotPermittedScreen.tsx'),
}
