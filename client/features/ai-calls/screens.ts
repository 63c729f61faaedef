import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'loaned_management/ai_call_config': () => import('./AiCallsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
