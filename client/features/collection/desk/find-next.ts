import { call } from '#client/session/call.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { CONTACTABLE_MAX, firstContactable } from '#shared/collection/cases-api.ts'
import type { CaseRow } from './case-types.ts'

export interface NextFound {
  /** Null when none of them may be contacted yet. */
  caseId: string | null
  /** Due cases that wait for the time between two contacts, and until when the first of them does. */
  waiting: ReadonlySet<string>
  until: string | null
}

export const NOTHING_WAITS: NextFound = { caseId: null, waiting: new Set(), until: null }

/**
 * The first of the due cases that may be contacted now; the server knows the gaps between contacts.
 * Without an answer the first one: its panel shows why it cannot be called.
 */
export async function findNext(due: readonly Pick<CaseRow, 'caseId'>[]): Promise<NextFound> {
  const ids = due.slice(0, CONTACTABLE_MAX).map(({ caseId }) => caseId)
  const [first] = ids
  if (first === undefined) return NOTHING_WAITS
  try {
    const { caseId, openTime } = await call(
      firstContactable,
      { caseIds: ids.join(',') },
      { quiet: true },
    )
    return { caseId, waiting: new Set(caseId === null ? ids : []), until: openTime }
  } catch {
    return { ...NOTHING_WAITS, caseId: first }
  }
}

/** Whether the case was found waiting, and still is. */
export function waits({ waiting, until }: NextFound, caseId: string): boolean {
  return waiting.has(caseId) && (until === null || Date.parse(until) > serverNow())
}
