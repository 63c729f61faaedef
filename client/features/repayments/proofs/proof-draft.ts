/**
 * A proof that was entered and not sent, kept per order and user in this browser. Files are not
 * kept.
 */
import { draftsOf } from '#client/session/drafts.ts'

export interface ProofDraft {
  /** Paise. */
  amount: number | null
  utr: string
  /** ISO 8601 */
  payTime: string | null
  channel: number | null
}

export const {
  read: readProof,
  keep: keepProof,
  drop: dropProof,
  sweep: sweepProofs,
} = draftsOf<ProofDraft>({
  prefix: 'proof-draft:',
  isBlank: ({ amount, utr }) => amount === null && utr.trim() === '',
  restore: (kept) => ({
    amount: Number.isSafeInteger(kept.amount) ? (kept.amount as number) : null,
    utr: typeof kept.utr === 'string' ? kept.utr.slice(0, 22) : '',
    payTime:
      typeof kept.payTime === 'string' && !Number.isNaN(Date.parse(kept.payTime))
        ? kept.payTime
        : null,
    channel: Number.isSafeInteger(kept.channel) ? (kept.channel as number) : null,
  }),
})
