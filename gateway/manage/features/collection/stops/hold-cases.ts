/** What a stop does to the cases of its customer: they are held while any stop is active, and return when the last one ends. */
import { sql } from 'kysely'
import { CASE_STOP_CHANGED } from '#shared/collection/collection-live.ts'
import type { StopReason, StopState } from '#shared/collection/collection-sets.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logCase, notifyOfCase, tellAllocated, tellPromise } from '../case-events.ts'
import { AGENCY_WORKS } from '../setup/duty.ts'
import {
  caseRooms,
  lockCases,
  type LockedCase,
  moveCase,
  type MovedCase,
  nextCaseState,
  POOL,
} from '../case-store.ts'
import { isBarred } from '../upheld-complaints.ts'

export interface Stop {
  id: string
  customer_id: string
  reason: StopReason
  state: StopState
  /** Last IST day; null = open end. */
  end_at: string | null
  applied_by: string | null
  decided_by_name: string | null
  version: number
}

const MENU = 'stop_collection'
/** A person's end by hand stays: it has a reason of its own and no stop. */
const NOT_ENDED = sql<boolean>`c.end_reason is null`

interface Hold {
  reason: StopReason
  until: string | null
}

/**
 * The hold of a customer: the stop that lasts longest; null = none is active. To be asked with his cases locked: of two stops
 * that end at once each would else see the other as active, and the case would stay held by nobody.
 */
async function holdOf(cx: Cx, customerId: string): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    select s.reason, s.end_at as until from stop_collection s where s.customer_id = ${customerId} and s.state = 'active' order by s.end_at desc nulls first, s.start_at limit 1`.execute(
    cx.db,
  )
  return rows[0] ?? null
}

/**
 * A stop became active: the customer's cases leave every desk, an open promise is cancelled. Cases a run is placing right now
 * are held a minute later by the sweep.
 */
export async function holdCases(cx: Cx, stop: Stop): Promise<void> {
  const cases = await lockCases(
    cx,
    sql<boolean>`c.customer_id = ${stop.customer_id} and c.state in ('unallocated', 'allocated', 'promised', 'held') and ${NOT_ENDED}`,
  )
  const hold = await holdOf(cx, stop.customer_id)
  if (hold === null || cases.length === 0) return tellStop(cx, stop, null)
  for (const locked of cases) {
    const moved =
      locked.state === 'held' ? await keepHeld(cx, locked, hold) : await holdOne(cx, locked, hold)
    tellStop(cx, stop, moved)
  }
}

async function holdOne(cx: Cx, locked: LockedCase, hold: Hold): Promise<MovedCase> {
  const to = nextCaseState(locked, { type: 'HOLD', reason: hold.reason })
  const moved = await moveCase(cx, locked, {
    to,
    set: [
      sql`hold_reason = ${hold.reason}`,
      sql`hold_until = ${hold.until}::date`,
      sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`,
    ],
  })
  if (moved.ptp_state !== locked.ptp_state) tellPromise(cx, moved)
  notifyOfCase(cx, locked.collector_id, 'taken', 'caseHeld', locked.id)
  logCase(cx, MENU, 'hold', moved, { reason: hold.reason })
  return moved
}

function keepHeld(cx: Cx, locked: LockedCase, hold: Hold): Promise<MovedCase> {
  return moveCase(cx, locked, {
    to: locked.state,
    set: [sql`hold_reason = ${hold.reason}`, sql`hold_until = ${hold.until}::date`],
  })
}

/** A stop ended: with another one still active the cases stay held, else each returns to its holder while he may keep it, or to the pool. */
export async function resumeCases(cx: Cx, stop: Stop): Promise<void> {
  const cases = await lockCases(
    cx,
    sql<boolean>`c.customer_id = ${stop.customer_id} and c.state = 'held' and ${NOT_ENDED}`,
  )
  const hold = await holdOf(cx, stop.customer_id)
  if (cases.length === 0) return tellStop(cx, stop, null)
  for (const locked of cases) {
    const moved = hold === null ? await resumeOne(cx, locked) : await keepHeld(cx, locked, hold)
    tellStop(cx, stop, moved)
  }
}

async function resumeOne(cx: Cx, locked: LockedCase): Promise<MovedCase> {
  const ownerEligible = await mayKeep(cx, locked)
  const set = [sql`hold_reason = null`, sql`hold_until = null`]
  const moved = ownerEligible
    ? await moveCase(cx, locked, {
        to: nextCaseState(locked, { type: 'RESUME', ownerEligible }),
        set: [...set, sql`next_follow_at = clock_timestamp()`],
      })
    : await moveCase(cx, locked, {
        to: nextCaseState(locked, { type: 'RESUME_POOL', ownerEligible }),
        set,
        ...(locked.collector_id === null ? {} : { place: POOL, cause: 'resume' as const }),
      })
  tellAllocated(cx, moved, 'resume')
  if (ownerEligible) notifyOfCase(cx, moved.collector_id, 'assigned', 'caseResumed', locked.id)
  logCase(cx, MENU, 'resume', moved)
  return moved
}

/** Whether the holder may go on with the case: his account and agency work, his certificate is valid, he serves the stage, and no complaint of a re-loan customer about him was upheld. Duty and the switch for new cases are no matter. */
async function mayKeep(
  cx: Cx,
  { id, collector_id: collectorId, stage_id: stageId }: LockedCase,
): Promise<boolean> {
  if (collectorId === null) return false
  const { rows } = await sql<{ ok: boolean }>`
    select u.status in ('enabled', 'normal') and ${AGENCY_WORKS} and k.cert_expiry >= (clock_timestamp() at time zone 'Asia/Kolkata')::date and ${stageId} = any(k.stage_ids) as ok
    from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id where k.user_id = ${collectorId}`.execute(
    cx.db,
  )
  return rows[0]?.ok === true && !(await isBarred(cx.db, id, collectorId))
}

/** One event for each case a stop moved; without a case one of the stop itself. */
export function tellStop(cx: Cx, stop: Stop, moved: MovedCase | null): void {
  cx.emit(CASE_STOP_CHANGED, {
    ...(moved === null
      ? { subject: `stop:${stop.id}`, version: stop.version }
      : { subject: `case:${moved.id}`, version: moved.version }),
    rooms: [
      ...(moved === null
        ? ['scope:all', ...(stop.applied_by === null ? [] : [`user:${stop.applied_by}`])]
        : caseRooms(moved.id, moved.from, moved)),
      `menu:${MENU}`,
    ],
    data: {
      stopId: stop.id,
      userId: stop.customer_id,
      caseIds: moved === null ? [] : [moved.id],
      reason: stop.reason,
      state: stop.state,
      stopVersion: stop.version,
      decideBy: stop.decided_by_name,
      caseState: moved?.state ?? null,
      holdReason: moved?.hold_reason ?? null,
      holdUntil: moved?.hold_until ?? null,
      endTime: stop.end_at,
    },
  })
}
