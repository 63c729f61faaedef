/** What other features may use of the calling robot. */
import { lazy } from 'react'

export const CaseAiCalls = lazy(() =>
  import('./CaseAiCalls.tsx').then((m) => ({ default: m.CaseAiCalls })),
)
export const CallCases = lazy(() =>
  import('./CallCases.tsx').then((m) => ({ default: m.CallCases })),
)
