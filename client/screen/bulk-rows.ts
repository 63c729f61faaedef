/** What became of each row of a bulk action. Pure. */
import type { BulkResult } from '#shared/kernel/page.ts'

/** Code of a row of a call that got no answer: it may be done. */
const UNANSWERED = 0

export type RowState = 'failed' | 'unknown' | 'waiting' | 'cancelled' | 'ok'
export interface BulkRow {
  id: string
  state: RowState
  /** Of a refused one. */
  refusal: BulkResult['failed'][number] | null
}

/** State of a job and its rows; null: the answer was complete. */
export interface BulkJobState {
  state: string
  failed: BulkResult['failed']
  waiting: readonly string[]
}

const ORDER: readonly RowState[] = ['failed', 'unknown', 'waiting', 'cancelled', 'ok']

/** Refused rows first, then those not done yet; else in the given order. */
export function bulkRows(
  ids: readonly string[],
  failed: BulkResult['failed'],
  job: BulkJobState | null,
): BulkRow[] {
  const refused = new Map([...failed, ...(job?.failed ?? [])].map((row) => [row.id, row]))
  const waiting = new Set(job?.waiting ?? [])
  const left: RowState =
    job === null || job.state === 'queued' || job.state === 'running' ? 'waiting' : 'cancelled'
  return ids
    .map((id): BulkRow => {
      const refusal = refused.get(id) ?? null
      if (refusal?.code === UNANSWERED) return { id, state: 'unknown', refusal: null }
      if (refusal !== null) return { id, state: 'failed', refusal }
      return { id, state: waiting.has(id) ? left : 'ok', refusal }
    })
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
}
