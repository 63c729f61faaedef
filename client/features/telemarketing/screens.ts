import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

const at = (name: string) => `customer_management/marketing_center/${name}`

export const screens: Record<string, LoadScreen> = {
  [at('no_certified')]: () => import('./NoCertifiedScreen.tsx'),
  [at('unrequished')]: () => import('./UnrequishedScreen.tsx'),
  [at('no_relented')]: () => import('./NoRelentedScreen.tsx'),
  [at('ele_person')]: () => import('./persons/PersonsScreen.tsx'),
  [at('marketing_total')]: () => import('./totals/TotalsScreen.tsx'),
  [at('marketing_stage')]: () => import('./nodes/NodesScreen.tsx'),
  [at('loan_failed')]: () => import('./LoanFailedScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
