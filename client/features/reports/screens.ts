import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'data_analysis/channel_statistics': () => import('./ChannelScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
