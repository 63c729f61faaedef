/**
 * Effects of a stop on the customer's cases: they are held while any stop is active, and return
 * when the last one ends.
 */
import { sql } from 'kysely'
import { CASE_STOP_CHANGED } from '#shared/collection/collection-live.ts'
import type { StopReason, StopState } from '#shared/collection/collection-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logCase, notifyAboutCase, emitAllocated, emitPromise } from '../case-events.ts'
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
/** A case ended by a person stays ended: it has its own reason and no stop. */
const NOT_ENDED = sql<boolean>`c.end_reason is null`

interface Hold {
  reason: StopReason
  until: string | null
}

/**
 * The hold of a customer: the active stop that lasts longest; null = none. Call it with the
 * customer's cases locked: otherwise two stops that end at once each see the other as active, and
 * the case stays held.
 */
async function holdOf(tx: CommandTx, customerId: string): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    select s.reason, s.end_at as until from stop_collection s where s.customer_id = ${customerId}
      and s.state = 'active' order by s.end_at desc nulls first, s.start_at limit 1`.execute(tx.db)
  return rows[0] ?? null
}

/**
 * A stop became active: the customer's cases are held and open promises cancelled. The sweep holds
 * cases a run is placing a minute later.
 */
export async function holdCases(tx: CommandTx, stop: Stop): Promise<void> {
  const cases = await lockCases(
    tx,
    sql<boolean>`
      c.customer_id = ${stop.customer_id} and c.state in ('unallocated', 'allocated', 'promised', 'held')
        and ${NOT_ENDED}`,
  )
  const hold = await holdOf(tx, stop.customer_id)
  if (hold === null || cases.length === 0) return emitStop(tx, stop, null)
  for (const locked of cases) {
    const moved =
      locked.state === 'held' ? await keepHeld(tx, locked, hold) : await holdOne(tx, locked, hold)
    emitStop(tx, stop, moved)
  }
}

async function holdOne(tx: CommandTx, locked: LockedCase, hold: Hold): Promise<MovedCase> {
  const to = nextCaseState(locked, { type: 'HOLD', reason: hold.reason })
  const moved = await moveCase(tx, locked, {
    to,
    set: [
      sql`hold_reason = ${hold.reason}`,
      sql`hold_until = ${hold.until}::date`,
      sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`,
    ],
  })
  if (moved.ptp_state !== locked.ptp_state) emitPromise(tx, moved)
  notifyAboutCase(tx, locked.collector_id, 'taken', 'caseHeld', locked.id)
  logCase(tx, MENU, 'hold', moved, { reason: hold.reason })
  return moved
}

function keepHeld(tx: CommandTx, locked: LockedCase, hold: Hold): Promise<MovedCase> {
  return moveCase(tx, locked, {
    to: locked.state,
    set: [sql`hold_reason = ${hold.reason}`, sql`hold_until = ${hold.until}::date`],
  })
}

/**
 * A stop ended: with another active one the cases stay held, else each returns to its holder if
 * they may keep it, or to the pool.
 */
export async function resumeCases(tx: CommandTx, stop: Stop): Promise<void> {
  const cases = await lockCases(
    tx,
    sql<boolean>`c.customer_id = ${stop.customer_id} and c.state = 'held' and ${NOT_ENDED}`,
  )
  const hold = await holdOf(tx, stop.customer_id)
  if (cases.length === 0) return emitStop(tx, stop, null)
  for (const locked of cases) {
    const moved = hold === null ? await resumeOne(tx, locked) : await keepHeld(tx, locked, hold)
    emitStop(tx, stop, moved)
  }
}

async function resumeOne(tx: CommandTx, locked: LockedCase): Promise<MovedCase> {
  const ownerEligible = await mayKeep(tx, locked)
  const set = [sql`hold_reason = null`, sql`hold_until = null`]
  const moved = ownerEligible
    ? await moveCase(tx, locked, {
        to: nextCaseState(locked, { type: 'RESUME', ownerEligible }),
        set: [...set, sql`next_follow_at = clock_timestamp()`],
      })
    : await moveCase(tx, locked, {
        to: nextCaseState(locked, { type: 'RESUME_POOL', ownerEligible }),
        set,
        ...(locked.collector_id === null ? {} : { place: POOL, cause: 'resume' as const }),
      })
  emitAllocated(tx, moved, 'resume')
  if (ownerEligible) notifyAboutCase(tx, moved.collector_id, 'assigned', 'caseResumed', locked.id)
  logCase(tx, MENU, 'resume', moved)
  return moved
}

/**
 * Whether the holder may continue the case: account and agency active, certificate valid, stage
 * served, and no upheld complaint of a re-loan customer about them. Duty and the switch for new
 * cases do not matter.
 */
async function mayKeep(
  tx: CommandTx,
  { id, collector_id: collectorId, stage_id: stageId }: LockedCase,
): Promise<boolean> {
  if (collectorId === null) return false
  const { rows } = await sql<{ ok: boolean }>`
    select u.status in ('enabled', 'normal') and ${AGENCY_WORKS}
      and k.cert_expiry >= (clock_timestamp() at time zone 'Asia/Kolkata')::date
      and ${stageId} = any(k.stage_ids) as ok
    from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id
      where k.user_id = ${collectorId}`.execute(tx.db)
  return rows[0]?.ok === true && !(await isBarred(tx.db, id, collectorId))
}

/** One event for each case a stop moved; without a case one of the stop itself. */
export function emitStop(tx: CommandTx, stop: Stop, moved: MovedCase | null): void {
  tx.emit(CASE_STOP_CHANGED, {
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
