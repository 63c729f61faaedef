import type { Static } from 'typebox'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { WriteOffRow as WriteOffSchema } from '#shared/repayments/write-offs-api.ts'
import type {
  ReduceRow as ReduceSchema,
  reductionLimit,
} from '#shared/repayments/reductions-api.ts'
import type { ProofRow as ProofSchema } from '#shared/repayments/proofs-api.ts'
import type {
  PlanRow as PlanSchema,
  planDetail,
  previewPayment,
  quotePayment,
  recordDetail,
  RecordRow as RecordSchema,
} from '#shared/repayments/repayments-api.ts'

export type PlanRow = Static<typeof PlanSchema>
export type RecordRow = Static<typeof RecordSchema>
export type ReduceRow = Static<typeof ReduceSchema>
export type ReductionLimit = DataOf<typeof reductionLimit>
export type WriteOffRow = Static<typeof WriteOffSchema>
export type ProofRow = Static<typeof ProofSchema>
export type PlanDetail = DataOf<typeof planDetail>
export type RecordDetail = DataOf<typeof recordDetail>
export type Quote = DataOf<typeof quotePayment>
export type PaymentPreview = DataOf<typeof previewPayment>
