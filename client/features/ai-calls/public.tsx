/** What other features may use of the calling robot. */
import { lazyPart } from '#client/base/load-part.ts'

export const CaseAiCalls = lazyPart(() =>
  import('./CaseAiCalls.tsx').then((m) => ({ default: m.CaseAiCalls })),
)
export const CallCases = lazyPart(() =>
  import('./CallCases.tsx').then((m) => ({ default: m.CallCases })),
)
