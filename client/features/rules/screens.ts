import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/rule_engine': () => import('./book/RulesScreen.tsx'),
  'system/batch_run': () => import('./BatchesScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
