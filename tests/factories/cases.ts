/**
 * Collection cases with order, customer and plans. The order is paid out by the real commands and
 * its dates are moved back to match the case; the case row is written directly in its state.
 * Nothing is random.
 */
import { sql } from 'kysely'
import type { CaseState, PtpState } from '#shared/collection/case-lifecycle.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { istDay } from '#shared/kernel/time.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { COLLECTION_AUDIENCE } from '#gateway/manage/features/collection/collection-audience.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { decideJob, resumeJob } from '#gateway/manage/features/collection/stops/stop-collection.ts'
import { workRoutes } from '#gateway/manage/features/collection/work-routes.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { makeOrder, type MadeOrder, type OrderGiven } from './orders.ts'

interface WithHouse {
  context: AppContext
}

export interface CaseGiven extends Omit<OrderGiven, 'status'> {
  /** Default: `allocated` with a collector, else `unallocated`. */
  state?: CaseState
  collectorId?: string
  /** Placed with this unit's agency without a collector. */
  agencyId?: string
  /** IST days after the due day; default 1. */
  overdueDays?: number
  /** Default: by the bounds of the stages. */
  stageId?: string
  ptpAmount?: number
  /** ISO 8601; default: the end of today when a promise is open. */
  ptpTime?: string
  ptpState?: PtpState
  brokenCount?: number
  nextFollowTime?: string
  /** Whether the customer was informed of the agent; default true. */
  intimated?: boolean
  endReason?: string
  /** How many days ago it was allocated. */
  allocatedDaysAgo?: number
}

export interface MadeCase extends MadeOrder {
  caseId: string
  outstanding: number
}

const HELD_BY_ONE: readonly CaseState[] = ['allocated', 'promised']

/** One case. Its order is at 50, or at 30 when it is due today. */
export async function makeCase(floor: WithHouse, given: CaseGiven = {}): Promise<MadeCase> {
  const { overdueDays = 1, brokenCount = 0, intimated = true, allocatedDaysAgo = 0 } = given
  const state = given.state ?? (given.collectorId === undefined ? 'unallocated' : 'allocated')
  if (HELD_BY_ONE.includes(state) && given.collectorId === undefined)
    throw new TypeError(`a case in ${state} has a collector`)
  const db = floor.context.database.kysely
  const order = await makeOrder(floor, {
    product: { id: 'PRC', periods: 1, daysPerPeriod: 30 },
    ...given,
    status: 30,
  })
  await fallDue(floor, order.orderId, overdueDays)
  const isPromised = state === 'promised'
  const isClosed = state === 'closed'
  const ptpState = given.ptpState ?? (isPromised ? 'open' : null)
  const hasPromise = ptpState !== null || given.ptpAmount !== undefined
  const { rows } = await sql<{ id: string; outstanding: number }>`
    with unit as (
      select u.agency_id, u.department_id, u.group_id from sys_user u
        where u.id = ${given.collectorId ?? null}
    ), made as (
      insert into collection_case (order_id, customer_id, stage_id, state, overdue_days, amount_due,
        outstanding, agency_id, department_id, group_id, collector_id, allocated_at, next_follow_at,
        ptp_at, ptp_amount, ptp_made_at, ptp_state, broken_count, token, intimated_at, hold_reason,
          end_reason, ended_at)
      select o.id, o.customer_id,
        coalesce(${given.stageId ?? null}, (select s.stage_id from stage s where s.status = 'enabled'
          and s.min_days <= ${overdueDays} and (s.max_days is null or s.max_days >= ${overdueDays}))),
        ${state}, ${overdueDays}, o.outstanding, o.outstanding, coalesce((select u.agency_id
          from unit u), ${given.agencyId ?? null}), (select u.department_id from unit u), (select u.group_id
          from unit u), ${given.collectorId ?? null},
        case when ${given.collectorId ?? null}::text is null then null
          else clock_timestamp() - make_interval(days => ${allocatedDaysAgo}) end,
          ${given.nextFollowTime ?? null}::timestamptz,
        case when ${hasPromise} then coalesce(${given.ptpTime ?? null}::timestamptz,
          ((clock_timestamp() at time zone 'Asia/Kolkata')::date + time '23:59') at time zone
          'Asia/Kolkata') end,
        case when ${hasPromise} then coalesce(${given.ptpAmount ?? null}::bigint, o.outstanding) end, case
          when ${hasPromise} then clock_timestamp() - interval '1 day' end, ${ptpState}, ${brokenCount},
        ${given.collectorId === undefined ? 0 : 1}, case
          when ${intimated && given.collectorId !== undefined} then clock_timestamp() end,
          ${state === 'held' ? 'dispute' : null},
        ${given.endReason ?? (isClosed ? 'repaid' : null)}, case
          when ${isClosed || given.endReason !== undefined} then clock_timestamp() end
      from loan_order o where o.id = ${order.orderId}
      returning id, outstanding, collector_id, agency_id, department_id, group_id, stage_id, allocated_at
    ), logged as (
      insert into case_allocation (case_id, cause, to_user_id, to_agency_id, to_department_id, to_group_id,
        to_stage, outstanding, by_name, at)
      select m.id, 'enter', m.collector_id, m.agency_id, m.department_id, m.group_id, m.stage_id,
        m.outstanding, 'test', coalesce(m.allocated_at, clock_timestamp()) from made m
    ), counted as (
      update collector k set open_cases = k.open_cases + 1 from made m where k.user_id = m.collector_id
        and ${HELD_BY_ONE.includes(state)}
    )
    select m.id, m.outstanding from made m`.execute(db)
  const row = rows[0] as { id: string; outstanding: number }
  if (isClosed)
    await sql`
      update loan_order set status = 40, close_type = 'repaidClosed', closed_at = clock_timestamp(),
        outstanding = 0 where id = ${order.orderId}`.execute(db)
  return { ...order, caseId: row.id, outstanding: row.outstanding }
}

/**
 * A case whose order has been a bad debt for 95 overdue days: one more day is opened by the real
 * command.
 */
export async function makeBadDebt(
  floor: WithHouse,
  given: Omit<CaseGiven, 'overdueDays'> = {},
): Promise<MadeCase> {
  const made = await makeCase(floor, { ...given, overdueDays: 95 })
  const db = floor.context.database.kysely
  await sql`delete from day_opening`.execute(db)
  await openDays(floor.context, istDay(Date.now()), [openDayCases])
  const { rows } = await sql<{
    outstanding: number
  }>`select o.outstanding from loan_order o where o.id = ${made.orderId}`.execute(db)
  return { ...made, outstanding: rows[0]?.outstanding ?? 0 }
}

/**
 * Moves the dates of an order back, so that its first open instalment was due `overdueDays` IST
 * days ago.
 */
export async function fallDue(
  { context }: WithHouse,
  orderId: string,
  overdueDays: number,
): Promise<void> {
  const db = context.database.kysely
  await sql`
    update repay_plan p set due_at = p.due_at - d.days, overdue_days = ${overdueDays},
      payment_status = ${overdueDays > 0 ? 'overdue' : 'unpaid'}
    from (select min(x.due_at) - ((clock_timestamp() at time zone 'Asia/Kolkata')::date -
      ${overdueDays}::int) as days from repay_plan x where x.order_id = ${orderId} and x.outstanding > 0) d
    where p.order_id = ${orderId}`.execute(db)
  await sql`
    with before as (
      select o.id, o.status from loan_order o where o.id = ${orderId}
    ), moved as (
      update loan_order o set status = ${overdueDays > 0 ? 50 : 30},
        overdue_days = ${Math.max(0, overdueDays)}, due_at = (select max(p.due_at) from repay_plan p
        where p.order_id = o.id),
        disbursed_at = clock_timestamp() - make_interval(days => ${overdueDays + 30})
          where o.id = ${orderId} returning o.status
    )
    insert into order_status_log (order_id, from_status, to_status, cause, by_name)
      select b.id, b.status, m.status, 'duePassed', 'test' from before b, moved m where b.status <> m.status`.execute(
    db,
  )
}

/** Manage with the collection feature only, at 11:00 IST, which is within contact hours. */
export async function workFloor(): Promise<Floor & { clock: TestClock }> {
  const floor = await testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU],
      audiences: [COLLECTION_AUDIENCE],
      jobTypes: [decideJob, resumeJob],
      routes: workRoutes,
    }),
  })
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  return { ...floor, clock }
}

/** A payment to the order of a case; the case does not hear of it. */
export async function makeRecord(
  floor: WithHouse,
  recordId: string,
  made: MadeCase,
  amount: number,
): Promise<void> {
  await sql`
    insert into repay_record (id, order_id, told_order_id, customer_id, repayment_type, amount, channel,
      source, paid_at, operator_name)
    select ${recordId}, o.id, o.id, o.customer_id, 'partial', ${amount}, 1, 'callback', clock_timestamp(),
      'Channel'
    from loan_order o where o.id = ${made.orderId}`.execute(floor.context.database.kysely)
}
