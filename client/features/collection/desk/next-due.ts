import type { CaseRow } from './case-types.ts'

type Timed = Pick<CaseRow, 'caseId' | 'state' | 'nextFollowTime'>

/**
 * The due cases in the order in which they follow the open one: those below it, then from the top.
 * @param openId the case that was worked on; it does not follow itself
 * @param now epoch ms
 */
export function dueAfter<Row extends Timed>(
  rows: readonly Row[],
  openId: string | null,
  now: number,
): Row[] {
  const at = rows.findIndex((row) => row.caseId === openId)
  return rows
    .slice(at + 1)
    .concat(rows.slice(0, Math.max(0, at)))
    .filter((row) => isDue(row, now))
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
