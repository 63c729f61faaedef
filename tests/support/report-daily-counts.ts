/** Figures of money and tickets by day, counted from the rows of the book by plain arithmetic. */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { Book } from './report-book.ts'
import { add, countOrders, paidBy, rate, TODAY } from './report-counts.ts'

interface Moved {
  orderId: string
  amount: number
  on: string
}

export interface MoneyBook {
  payments: Moved[]
  bills: (Moved & { stageId: string; overdueDays: number; agencyId: string | null })[]
  reductions: Moved[]
  writeOffs: Moved[]
  tickets: { customerId: string; on: string }[]
}

export async function readMoney({ kysely: db }: Database): Promise<MoneyBook> {
  const moved = async (query: ReturnType<typeof sql>): Promise<Moved[]> => {
    const { rows } = await query.execute(db)
    return (rows as (Moved & { at: string })[]).map(({ at, ...row }) => ({
      ...row,
      on: istDay(at),
    }))
  }
  return {
    payments: await moved(sql`
      select r.order_id as "orderId", r.amount, r.paid_at::text as at from repay_record r
      where r.pay_state = 'success' and r.reversed_at is null`),
    // the rows have what the type adds
    bills: (await moved(sql`
      select b.order_id as "orderId", b.amount, b.paid_at::text as at, b.stage_id as "stageId",
        b.overdue_days as "overdueDays", b.agency_id as "agencyId"
      from recovery_bill b`)) as MoneyBook['bills'],
    reductions: await moved(sql`
      select d.order_id as "orderId", d.used_amount as amount, d.used_at::text as at from reduction d
      where d.used_at is not null`),
    writeOffs: await moved(sql`
      select w.order_id as "orderId", w.amount, w.done_at::text as at from write_off w
      where w.state = 'done' and w.type in ('operational', 'batch')`),
    tickets: (
      await sql<{ customerId: string; at: string }>`
        select f.customer_id as "customerId", f.created_at::text as at from feedback f`.execute(db)
    ).rows.map(({ customerId, at }) => ({ customerId, on: istDay(at) })),
  }
}

/** @param isSum the due days that have not ended are left out of what is known when they end */
export function countHome(
  book: Book,
  money: MoneyBook,
  on: (day: string | null) => boolean,
  isSum: boolean,
  isIn: (place: { appId: string; channelId: string }) => boolean = () => true,
) {
  const customers = book.customers.filter(isIn)
  const orders = book.orders.filter(isIn)
  const orderIds = new Set(orders.map(({ id }) => id))
  const customerIds = new Set(customers.map(({ id }) => id))
  const registered = customers.filter(({ registeredOn }) => on(registeredOn))
  const due = orders.flatMap(({ plans }) => plans.filter(({ dueDay }) => on(dueDay)))
  const ended = due.filter(({ dueDay }) => !isSum || dueDay < TODAY)
  const toPay = add(ended, ({ amount }) => amount)
  const paid = add(ended, (plan) => paidBy(plan, plan.dueDay))
  const sum = (rows: readonly Moved[]) =>
    add(
      rows.filter((row) => orderIds.has(row.orderId) && on(row.on)),
      ({ amount }) => amount,
    )
  return {
    ...countOrders(orders, on),
    registrations: registered.length,
    certified: registered.filter(({ certified }) => certified).length,
    dueAmount: add(due, ({ amount }) => amount),
    receivedAmount: sum(money.payments),
    onTimeRate: rate(paid, toPay),
    newOverdueAmount: toPay - paid,
    collectedAmount: sum(money.bills),
    waivedAmount: sum(money.reductions),
    chargedOffAmount: sum(money.writeOffs),
    newTickets: money.tickets.filter((one) => customerIds.has(one.customerId) && on(one.on)).length,
  }
}

export interface CaseMove {
  caseId: string
  cause: string
  at: string
  fromStage: string | null
  toStage: string | null
  fromUnit: string | null
  /** Of the kind of unit that is asked for. */
  toUnit: string | null
  outstanding: number
}

/** @param unit the kind of unit whose moves are reported */
export async function readMoves(
  { kysely: db }: Database,
  unit: 'agency' | 'department' | 'group' = 'department',
) {
  const { rows: moves } = await sql<CaseMove>`
    select a.case_id as "caseId", a.cause, a.at::text as at, a.from_stage as "fromStage",
      a.to_stage as "toStage", ${sql.ref(`a.from_${unit}_id`)} as "fromUnit",
      ${sql.ref(`a.to_${unit}_id`)} as "toUnit", coalesce(a.outstanding, 0) as outstanding
    from case_allocation a order by a.at, a.id`.execute(db)
  const { rows: cases } = await sql<{ id: string; createdAt: string; endedAt: string | null }>`
    select c.id, c.created_at::text as "createdAt", c.ended_at::text as "endedAt"
    from collection_case c`.execute(db)
  const { rows: bills } = await sql<{
    caseId: string
    stageId: string
    unit: string | null
    overdueDays: number
    amount: number
    at: string
  }>`
    select b.case_id as "caseId", b.stage_id as "stageId", ${sql.ref(`b.${unit}_id`)} as unit,
      b.overdue_days as "overdueDays", b.amount, b.paid_at::text as at
    from recovery_bill b`.execute(db)
  const { rows: openings } = await sql<{ day: string }>`
    select max(o.day)::text as day from day_opening o`.execute(db)
  return { moves, cases, bills, lastOpened: openings[0]?.day ?? '' }
}

/**
 * Recovered, held at the start and come in, of a stage or of all, of a unit or of all.
 * @param from first IST day @param to last IST day
 */
export function countRecall(
  { moves, cases, bills, lastOpened }: Awaited<ReturnType<typeof readMoves>>,
  from: string,
  to: string,
  stage: string | null,
  unit: string | null = null,
) {
  const start = Date.parse(`${from}T00:00:00+05:30`)
  const isOn = (at: string) => istDay(at) >= from && istDay(at) <= to
  const isOf = (stageId: string | null, unitId: string | null) =>
    (stage === null || stageId === stage) && (unit === null || unitId === unit)
  const paid = bills.filter((bill) => isOn(bill.at) && isOf(bill.stageId, bill.unit))
  let held = 0
  // between midnight and its opening a day has not begun for collection
  for (const { id, createdAt, endedAt } of from <= lastOpened ? cases : []) {
    if (Date.parse(createdAt) >= start || (endedAt !== null && Date.parse(endedAt) < start))
      continue
    const last = moves.findLast((move) => move.caseId === id && Date.parse(move.at) < start)
    if (last === undefined || !isOf(last.toStage, last.toUnit)) continue
    const since = bills.filter(
      ({ caseId, at }) =>
        caseId === id && Date.parse(at) >= Date.parse(last.at) && Date.parse(at) < start,
    )
    held += Math.max(0, last.outstanding - add(since, ({ amount }) => amount))
  }
  const came = moves.filter((move) => {
    if (!isOn(move.at) || !isOf(move.toStage, move.toUnit)) return false
    const isEntered = move.cause === 'enter' || move.cause === 'reopen'
    const isOtherStage = isEntered || move.toStage !== move.fromStage
    const isOtherUnit = unit === null ? isEntered : move.toUnit !== move.fromUnit
    return isOtherUnit || (stage !== null && isOtherStage)
  })
  const collected = add(paid, ({ amount }) => amount)
  const cameAmount = add(came, ({ outstanding }) => outstanding)
  return {
    bills: paid.length,
    collectedAmount: collected,
    heldAmount: held,
    cameAmount,
    collectedRate: rate(collected, held + cameAmount),
  }
}
