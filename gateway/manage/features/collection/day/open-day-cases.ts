/**
 * The collection part of the start of a day, set-based. Orders whose instalment fell due get a
 * case; open cases get the day's figures and move by the bounds of the stages. A case whose holder
 * does not serve the new stage, or has no room there, returns to the pool; a case with a promise
 * about to fall due changes its stage after the promise has ended. Running it again on the same day
 * changes nothing.
 */
import { sql } from 'kysely'
import { caseLifecycle } from '#shared/collection/case-lifecycle.ts'
import {
  CASE_AMOUNT_CHANGED,
  CASE_CREATED,
  CASE_STAGE_MOVED,
} from '#shared/collection/collection-live.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitEnded, emitPromise, emitRecalled } from '../case-events.ts'
import { caseRooms, isInHand, lockCases, type LockedCase, type MovedCase } from '../case-store.ts'
import { type StageRoom, stageRoom } from './stage-room.ts'

export interface OpenDayCases {
  /** IST day that begins. */
  day: string
  /** Running orders, at most 500, so that one transaction stays short. */
  orderIds: readonly string[]
}

interface DueOrder {
  order_id: string
  customer_id: string
  outstanding: number
  rbi_class: string
  /** First unpaid instalment; null = nothing is due. */
  due_at: string | null
}
interface Stage {
  stage_id: string
  min_days: number
  max_days: number | null
  keep_collector: boolean
}
interface Bounds {
  stages: Stage[]
  /** Of the holders, in the stages they serve. */
  room: StageRoom
}
/** What happens to an open case. */
interface Change {
  before: LockedCase
  state: LockedCase['state']
  stageId: string
  overdueDays: number
  outstanding: number
  isRecalled: boolean
}

const RECALLED = 'stageMove'

export async function openDayCases(tx: CommandTx, { day, orderIds }: OpenDayCases): Promise<void> {
  if (orderIds.length === 0) return
  const orders = await dueOrders(tx, orderIds, day)
  const cases = await lockCases(
    tx,
    sql<boolean>`c.order_id = any(${[...orderIds]}::text[]) and c.state <> 'closed'`,
  )
  const byOrder = new Map(cases.map((locked) => [locked.order_id, locked]))
  const bounds = await readBounds(tx, cases, day)
  const entered: { order: DueOrder; stageId: string; overdueDays: number }[] = []
  const changes: Change[] = []
  for (const order of orders) {
    const overdueDays = order.due_at === null ? -1 : daysBetween(order.due_at, day)
    const stage = overdueDays < 0 ? null : stageOf(bounds, overdueDays)
    const locked = byOrder.get(order.order_id)
    if (locked) changes.push(...changeOf(locked, order, overdueDays, stage, bounds, day))
    else if (stage !== null) entered.push({ order, stageId: stage.stage_id, overdueDays })
  }
  await openCases(tx, entered)
  for (const { moved, change } of await writeChanges(tx, changes)) emitChange(tx, moved, change)
}

/** A cured order falls due by its settlement plan, as many days overdue as at the cure. */
async function dueOrders(
  tx: CommandTx,
  orderIds: readonly string[],
  day: string,
): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    select o.id as order_id, o.customer_id, o.outstanding, o.rbi_class,
      case when exists (select from settlement_plan s where s.order_id = o.id
        and s.state = 'current') then ${day}::date - o.overdue_days
        else (select min(p.due_at) from repay_plan p where p.order_id = o.id
          and p.outstanding > 0) end as due_at
    from loan_order o where o.id = any(${[...orderIds]}::text[]) and o.status in (30, 43, 50, 90)
      order by o.id`.execute(tx.db)
  return rows
}

async function readBounds(
  tx: CommandTx,
  cases: readonly LockedCase[],
  day: string,
): Promise<Bounds> {
  const { rows: stages } = await sql<Stage>`
      select s.stage_id, s.min_days, s.max_days, s.keep_collector from stage s where s.status = 'enabled'
        order by s.min_days`.execute(tx.db)
  const holders = [...new Set(cases.flatMap((locked) => locked.collector_id ?? []))]
  return { stages, room: await stageRoom(tx, day, holders) }
}

function stageOf({ stages }: Bounds, overdueDays: number): Stage | null {
  return (
    stages.find(
      (stage) =>
        stage.min_days <= overdueDays && (stage.max_days === null || overdueDays <= stage.max_days),
    ) ?? null
  )
}

/** The change, if any. */
function changeOf(
  before: LockedCase,
  order: DueOrder,
  overdueDays: number,
  stage: Stage | null,
  { room }: Bounds,
  day: string,
): Change[] {
  const figures = {
    before,
    outstanding: order.outstanding,
    overdueDays: Math.max(0, overdueDays),
    isRecalled: false,
  }
  if (stage === null) {
    // no instalment is due any more: the case ends until the next one
    const event = { type: 'ARREARS_PAID', dueLeft: false } as const
    return caseLifecycle.can(before.state, event)
      ? [{ ...figures, state: caseLifecycle.next(before.state, event), stageId: before.stage_id }]
      : []
  }
  const stays = { ...figures, state: before.state, stageId: stage.stage_id }
  if (stage.stage_id === before.stage_id) return isSame(stays) ? [] : [stays]
  // a run is placing it by its old stage: it moves with the next day
  if (before.state === 'allocating')
    return isSame({ ...stays, stageId: before.stage_id })
      ? []
      : [{ ...stays, stageId: before.stage_id }]
  if (!isInHand(before.state, before.collector_id)) return [stays]
  const ownerServes = stage.keep_collector && room.take(before.collector_id ?? '', stage.stage_id)
  const event = {
    type: 'STAGE_CHANGE_RECALL',
    ownerServes,
    promiseDueInDays:
      before.ptp_state === 'open' && before.ptp_at !== null
        ? daysBetween(day, istDay(before.ptp_at))
        : null,
  } as const
  if (ownerServes) return [stays]
  if (caseLifecycle.can(before.state, event))
    return [{ ...stays, state: caseLifecycle.next(before.state, event), isRecalled: true }]
  // deferred: the old stage stays until the promise has ended
  const deferred = { ...stays, stageId: before.stage_id }
  return isSame(deferred) ? [] : [deferred]
}

function isSame({ before, stageId, overdueDays, outstanding }: Change): boolean {
  return (
    before.stage_id === stageId &&
    before.overdue_days === overdueDays &&
    before.outstanding === outstanding
  )
}

async function openCases(
  tx: CommandTx,
  entered: { order: DueOrder; stageId: string; overdueDays: number }[],
): Promise<void> {
  if (entered.length === 0) return
  const given = entered.map(({ order, stageId, overdueDays }) => ({
    order_id: order.order_id,
    customer_id: order.customer_id,
    stage_id: stageId,
    overdue_days: overdueDays,
    outstanding: order.outstanding,
  }))
  const { rows } = await sql<{
    id: string
    order_id: string
    stage_id: string
    outstanding: number
    version: number
  }>`
    with opened as (
      insert into collection_case (order_id, customer_id, stage_id, overdue_days, amount_due, outstanding)
      select n.order_id, n.customer_id, n.stage_id, n.overdue_days, n.outstanding, n.outstanding
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as n (order_id text, customer_id text,
        stage_id text, overdue_days int, outstanding bigint) order by n.order_id
      on conflict (order_id) where state <> 'closed' do nothing
      returning id, order_id, stage_id, outstanding, version
    ), logged as (
      insert into case_allocation (case_id, cause, to_stage, outstanding, by_name, at)
        select o.id, 'enter', o.stage_id, o.outstanding, ${tx.actor.userName}, clock_timestamp()
        from opened o
    )
    select o.id, o.order_id, o.stage_id, o.outstanding, o.version from opened o`.execute(tx.db)
  for (const row of rows) {
    tx.emit(CASE_CREATED, {
      subject: `case:${row.id}`,
      version: row.version,
      rooms: ['scope:all', `order:${row.order_id}`],
      data: {
        caseId: row.id,
        orderId: row.order_id,
        stageId: row.stage_id,
        outstanding: row.outstanding,
        reopened: false,
      },
    })
  }
}

/** One statement for all cases: the rows are locked, so none can have changed since. */
async function writeChanges(
  tx: CommandTx,
  changes: readonly Change[],
): Promise<{ moved: MovedCase; change: Change }[]> {
  if (changes.length === 0) return []
  const given = changes.map(({ before, state, stageId, overdueDays, outstanding, isRecalled }) => ({
    id: before.id,
    state,
    stage_id: stageId,
    overdue_days: overdueDays,
    outstanding,
    recalled: isRecalled,
    ends: state === 'closed',
    was_in_hand: isInHand(before.state, before.collector_id),
    collector_id: before.collector_id,
    agency_id: before.agency_id,
    department_id: before.department_id,
    group_id: before.group_id,
    from_stage: before.stage_id,
  }))
  const { rows } = await sql<{ id: string }>`
    with given as (
      select n.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as n (id text, state text, stage_id text, overdue_days int, outstanding bigint, recalled boolean,
          ends boolean, was_in_hand boolean, collector_id text, agency_id text, department_id text,
          group_id text, from_stage text)
    ), moved as (
      update collection_case c set state = n.state, stage_id = n.stage_id, overdue_days = n.overdue_days,
        outstanding = n.outstanding, amount_due = c.paid_amount + n.outstanding,
        agency_id = case when n.recalled then null else c.agency_id end, department_id = case
          when n.recalled then null else c.department_id end, group_id = case when n.recalled then null
          else c.group_id end,
        collector_id = case when n.recalled then null
          else c.collector_id end, token = c.token + n.recalled::int, allocated_at = case
          when n.recalled then null else c.allocated_at end,
        intimated_at = case when n.recalled then null else c.intimated_at end,
        ptp_state = case when c.ptp_state = 'open' and n.ends then 'kept' when c.ptp_state = 'open'
          and n.recalled then 'cancelled' else c.ptp_state end,
        end_reason = case when n.ends then 'repaid' else c.end_reason end, ended_at = case
          when n.ends then clock_timestamp() else c.ended_at end, hold_reason = case when n.ends then null
          else c.hold_reason end,
        version = c.version + 1, updated_at = clock_timestamp()
      from given n where c.id = n.id
      returning c.id, c.version
    ), logged as (
      insert into case_allocation (case_id, cause, from_user_id, to_user_id, from_agency_id, to_agency_id,
        from_department_id, to_department_id, from_group_id, to_group_id, from_stage, to_stage,
        overdue_days, case_version, outstanding, by_name, at)
      select n.id, ${RECALLED}, n.collector_id, case when n.recalled then null
        else n.collector_id end, n.agency_id, case when n.recalled then null
        else n.agency_id end, n.department_id, case when n.recalled then null else n.department_id end,
        n.group_id, case when n.recalled then null
          else n.group_id end, n.from_stage, n.stage_id, n.overdue_days, m.version, n.outstanding,
          ${tx.actor.userName}, clock_timestamp()
      from given n join moved m on m.id = n.id where n.recalled or n.stage_id <> n.from_stage
    ), counted as (
      update collector k set open_cases = greatest(0, k.open_cases - d.n)
      from (select n.collector_id, count(*)::int as n from given n where n.was_in_hand
        and (n.recalled or n.ends) group by n.collector_id) d where k.user_id = d.collector_id
    )
    select m.id from moved m`.execute(tx.db)
  if (rows.length !== changes.length) throw new Error('cases changed under their lock')
  const after = new Map(
    (
      await lockCases(
        tx,
        sql<boolean>`c.id = any(${changes.map(({ before }) => before.id)}::text[])`,
      )
    ).map((row) => [row.id, row]),
  )
  return changes.map((change) => ({
    change,
    moved: { ...(after.get(change.before.id) as LockedCase), from: change.before },
  }))
}

function emitChange(tx: CommandTx, moved: MovedCase, { isRecalled }: Change): void {
  const { from } = moved
  const subject = {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, from, moved),
  }
  if (moved.outstanding !== from.outstanding || moved.overdue_days !== from.overdue_days)
    emitAmount(tx, moved, 0)
  if (moved.stage_id !== from.stage_id)
    tx.emit(CASE_STAGE_MOVED, {
      ...subject,
      data: {
        caseId: moved.id,
        fromStage: from.stage_id,
        toStage: moved.stage_id,
        overdueDays: moved.overdue_days,
        rbiClass: moved.rbi_class,
      },
    })
  if (isRecalled) emitRecalled(tx, moved, RECALLED)
  if (moved.ptp_state !== from.ptp_state) emitPromise(tx, moved)
  if (moved.state === 'closed') emitEnded(tx, moved)
}

/**
 * Amounts of a case as they are now.
 * @param paid paise of this payment; negative for a reversal, 0 for the day's figures
 */
export function emitAmount(tx: CommandTx, moved: MovedCase, paid: number): void {
  tx.emit(CASE_AMOUNT_CHANGED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved.from, moved),
    data: {
      caseId: moved.id,
      orderId: moved.order_id,
      amountDue: moved.amount_due,
      paidAmount: moved.paid_amount,
      paidToday: moved.paid_today,
      recovered: moved.recovered,
      outstanding: moved.outstanding,
      paid,
      overdueDays: moved.overdue_days,
      rbiClass: moved.rbi_class,
    },
  })
}
