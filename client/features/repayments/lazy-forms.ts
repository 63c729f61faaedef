/** Forms opened from two places. They need the form library, so they are loaded when opened. */
import { lazy } from 'react'

export const ReduceForm = lazy(() =>
  import('./reductions/ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })),
)
export const RepaymentForm = lazy(() =>
  import('./forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)
export const CureForm = lazy(() =>
  import('./settlement/CureForm.tsx').then((m) => ({ default: m.CureForm })),
)
export const ProofForm = lazy(() =>
  import('./proofs/ProofForm.tsx').then((m) => ({ default: m.ProofForm })),
)
export const LinkForm = lazy(() =>
  import('./forms/LinkForm.tsx').then((m) => ({ default: m.LinkForm })),
)
