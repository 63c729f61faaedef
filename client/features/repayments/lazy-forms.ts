/** Forms opened from two places. They need the form library, so they are loaded when opened. */
import { lazyPart } from '#client/base/load-part.ts'

export const ReduceForm = lazyPart(() =>
  import('./reductions/ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })),
)
export const RepaymentForm = lazyPart(() =>
  import('./forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)
export const CureForm = lazyPart(() =>
  import('./settlement/CureForm.tsx').then((m) => ({ default: m.CureForm })),
)
export const ProofForm = lazyPart(() =>
  import('./proofs/ProofForm.tsx').then((m) => ({ default: m.ProofForm })),
)
export const LinkForm = lazyPart(() =>
  import('./forms/LinkForm.tsx').then((m) => ({ default: m.LinkForm })),
)
