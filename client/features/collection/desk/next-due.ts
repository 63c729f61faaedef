import type { CaseRow } from './case-types.ts'

type Timed = Pick<CaseRow, 'caseId' | 'state' | 'nextFollowTime' | 'firstDueTime'>

/**
 * The due cases in the order in which they follow the open one: late contacts, longest late first, then
 * those below it in the list, then from its top. A case that was offered comes after all others, so that
 * one that was passed over does not come back at once.
 * @param openId the case that was worked on; it does not follow itself
 * @param now epoch ms
 * @param offered what `offerOf` named
 */
export function dueAfter<Row extends Timed>(
  rows: readonly Row[],
  openId: string | null,
  now: number,
  offered: ReadonlySet<string> = new Set(),
): Row[] {
  const at = rows.findIndex((row) => row.caseId === openId)
  const due = rows
    .slice(at + 1)
    .concat(rows.slice(0, Math.max(0, at)))
    .filter((row) => isDue(row, now))
  const lateness = (row: Row): number => {
    const time = nextDue(row)
    return time === null ? 0 : Math.max(0, now - Date.parse(time))
  }
  const rank = (row: Row): number => (offered.has(offerOf(row)) ? 1 : 0)
  return due.toSorted((one, other) => rank(one) - rank(other) || lateness(other) - lateness(one))
}

/** A new case has no planned follow-up: its first contact is due next. */
export function nextDue({ nextFollowTime, firstDueTime }: Timed): string | null {
  return nextFollowTime ?? firstDueTime
}

/** A case with the contact that is due: with another one agreed it is offered anew. */
export function offerOf({ caseId, nextFollowTime }: Timed): string {
  return `${caseId} ${nextFollowTime ?? ''}`
}

/** The case whose next contact comes first; null without a planned one. */
export function nextPlanned<Row extends Timed>(rows: readonly Row[], now: number): Row | null {
  return rows
    .filter((row) => isInHand(row) && !isDue(row, now))
    .reduce<Row | null>(
      (first, row) =>
        first === null || (row.nextFollowTime ?? '') < (first.nextFollowTime ?? '') ? row : first,
      null,
    )
}

/** A case without a planned contact is new, and due at once. */
function isDue(row: Timed, now: number): boolean {
  return isInHand(row) && (row.nextFollowTime === null || Date.parse(row.nextFollowTime) <= now)
}

function isInHand({ state }: Timed): boolean {
  return state === 'allocated' || state === 'promised'
}
