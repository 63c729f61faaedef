/**
 * A contact that was written but not sent, kept per case and person in this browser, so that the
 * text survives when the case moves away.
 */
import { draftsOf } from '#client/session/drafts.ts'
import { CONTACT_RESULTS, CONTACT_WAYS, WILLINGNESS } from '#shared/collection/collection-sets.ts'

export interface FollowDraft {
  contactWay: (typeof CONTACT_WAYS)[number]
  contactResult: (typeof CONTACT_RESULTS)[number] | null
  willingness: (typeof WILLINGNESS)[number] | null
  /** Instants, ISO 8601 UTC. */
  commitmentTime: string | null
  ptpTime: string | null
  /** Paise. */
  ptpAmount: number | null
  remark: string
}

const isOf = <T>(set: readonly T[], value: unknown): value is T =>
  (set as readonly unknown[]).includes(value)
const instant = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null

/** The channel alone does not count: a call sets it. */
export function isBlankFollow({ contactResult, ptpAmount, remark }: FollowDraft): boolean {
  return contactResult === null && ptpAmount === null && remark.trim() === ''
}

export const {
  read: readFollow,
  keep: keepFollow,
  drop: dropFollow,
  sweep: sweepFollows,
} = draftsOf<FollowDraft>({
  prefix: 'follow-draft:',
  isBlank: isBlankFollow,
  restore: (kept) => ({
    contactWay: isOf(CONTACT_WAYS, kept.contactWay) ? kept.contactWay : 'phone',
    contactResult: isOf(CONTACT_RESULTS, kept.contactResult) ? kept.contactResult : null,
    willingness: isOf(WILLINGNESS, kept.willingness) ? kept.willingness : null,
    commitmentTime: instant(kept.commitmentTime),
    ptpTime: instant(kept.ptpTime),
    ptpAmount: Number.isSafeInteger(kept.ptpAmount) ? (kept.ptpAmount as number) : null,
    remark: typeof kept.remark === 'string' ? kept.remark.slice(0, 500) : '',
  }),
})
