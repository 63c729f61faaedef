/**
 * Opens an IST day for all running loans: fines of the day, 30 → 50 on overdue day 1, 50 → 90 at
 * order.badDebtDays, overdue days and RBI class; a settlement plan with a missed row ends. Each
 * chunk is one transaction, and the row of the day stores the last order done. A crash therefore
 * resumes after it, two processes take turns, and opening the same day twice changes nothing.
 */
import { sql } from 'kysely'
import { addDays, daysBetween, istMidnight } from '#shared/kernel/time.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import { rbiClassOf } from '#shared/repayments/rbi-class.ts'
import { isSettlementMissed } from '#shared/repayments/settlement-plan.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  moveOrders,
  type OrderMove,
  orderRoomsOf,
  restampOrders,
  type StampedOrder,
} from '#gateway/manage/features/orders/public.ts'
import { addPlans } from './emi/add-plans.ts'
import { callIn } from './emi/call-in.ts'
import { readHistories, type StoredHistory } from './history/read-history.ts'
import { chargesOfDay, withoutPlan } from './history/stop-charges.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import {
  fineDayOf,
  type Loan,
  type LoanPlan,
  lockLoans,
  outstandingOf,
  overdueDaysOn,
  planStatus,
  settledOf,
} from './loan-store.ts'
import { writePlans } from './write-plans.ts'
import { type Line, postEntries, type Posting } from './post-entries.ts'
import { endSettlements } from './settlement/settlement-store.ts'

/** Orders per transaction: on the embedded database all other work waits for it. */
const CHUNK = { postgresql: 500, pglite: 100 } as const

export interface OpenedChunk {
  /** IST day that is opened. */
  day: string
  /**
   * Running loans with an instalment that is due today or overdue, and those that were overdue the
   * day before; 500 at most.
   */
  orderIds: readonly string[]
}

/** Runs in the chunk's transaction, after its loans are written. */
export type WhenDayOpened = (tx: CommandTx, opened: OpenedChunk) => Promise<void>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    whenDayOpened: WhenDayOpened
  }
}

export interface DayOpened {
  day: string
  orders: number
  overdue: number
  bad: number
  /** Paise. */
  fines: number
}

/**
 * Opens every day up to `today` that is not open yet, one after the other. A process that ends
 * leaves off between two chunks; the next one continues from there.
 * @param chunk orders of one transaction
 * @returns the days that are finished
 */
export async function openDays(
  context: AppContext,
  today: string,
  whenDayOpened: readonly WhenDayOpened[],
  chunk: number = CHUNK[context.database.engine],
): Promise<DayOpened[]> {
  const opened: DayOpened[] = []
  for (
    let day = await nextDay(context.database.kysely, today);
    day !== null && !context.stopping.aborted;
    day = await nextDay(context.database.kysely, today)
  ) {
    const one = await openDay(context, { day, chunk, whenDayOpened })
    if (one !== null) opened.push(one)
  }
  return opened
}

/**
 * The day that was begun and not finished, otherwise the one after the last; null when today is
 * open. A database that was never opened begins with today.
 */
async function nextDay(db: Db, today: string): Promise<string | null> {
  const { rows } = await sql<{ begun: string | null; last: string | null }>`
    select min(d.day) filter (where d.finished_at is null) as begun,
      max(d.day) filter (where d.finished_at is not null) as last from day_opening d`.execute(db)
  const { begun = null, last = null } = rows[0] ?? {}
  if (begun !== null) return begun
  if (last === null) return today
  return last < today ? addDays(last, 1) : null
}

interface Opening {
  day: string
  chunk: number
  whenDayOpened: readonly WhenDayOpened[]
}

/** @returns null when the process ends before the day is finished */
async function openDay(context: AppContext, opening: Opening): Promise<DayOpened | null> {
  const { day } = opening
  await sql`insert into day_opening (day) values (${day}) on conflict (day) do nothing`.execute(
    context.database.kysely,
  )
  const badDebtDays = await context.parameters.int('order.badDebtDays')
  for (;;) {
    if (context.stopping.aborted) return null
    const outcome = await runCommand(
      context,
      {
        actor: systemActor('openDay'),
        audit: { action: 'openDay', targetKind: 'day', targetId: day },
      },
      (tx) => openChunk(tx, opening, badDebtDays),
    )
    // without an idempotency key a command is never replayed by the runner
    if ((outcome as { result: boolean }).result) break
  }
  const { rows } = await sql<DayOpened>`
      select d.day, d.orders, d.overdue, d.bad, d.fines from day_opening d where d.day = ${day}`.execute(
    context.database.kysely,
  )
  return rows[0] as DayOpened
}

/** @returns whether the day is finished */
async function openChunk(
  tx: CommandTx,
  { day, chunk, whenDayOpened }: Opening,
  badDebtDays: number,
): Promise<boolean> {
  const { rows } = await sql<{
    cursor_id: string
  }>`select d.cursor_id from day_opening d where d.day = ${day} and d.finished_at is null for update`.execute(
    tx.db,
  )
  const begun = rows[0]
  if (!begun) return true
  const loans = await lockLoans(
    tx.db,
    sql`where o.id > ${begun.cursor_id} and o.status in (30, 43, 50, 90)
      and (o.overdue_days <> 0 or o.rbi_class <> 'standard'
        or exists (select 1 from repay_plan p where p.order_id = o.id and p.outstanding > 0
        and p.due_at <= ${day}::date))`,
    chunk,
  )
  const histories = await readHistories(
    tx.db,
    loans.filter((loan) => isStopOver(loan, day) || mayBeCalledIn(loan, day, badDebtDays)),
  )
  const opened = loans.map((loan) =>
    openLoan(loan, { day, badDebtDays, stored: histories.get(loan.orderId) }),
  )
  const orderIds = loans.map((loan) => loan.orderId)
  const rooms = await orderRoomsOf(tx.db, orderIds)
  await addPlans(
    tx,
    opened.flatMap(({ plans }) => plans),
    rooms,
  )
  await postEntries(
    tx.db,
    opened.flatMap(({ postings }) => postings),
  )
  await writePlans(
    tx,
    opened.flatMap(({ plans }) => plans),
    rooms,
  )
  await endSettlements(
    tx,
    new Map(
      opened.flatMap(({ broken }, i) =>
        broken === undefined ? [] : [[(loans[i] as Loan).orderId, broken] as const],
      ),
    ),
    'broken',
    istMidnight(day).toISOString(),
  )
  await restampOrders(
    tx,
    opened.flatMap(({ stamp }) => stamp ?? []),
    rooms,
  )
  const overdue = await moveOrders(
    tx,
    opened.flatMap(({ duePassed }) => duePassed ?? []),
  )
  const bad = await moveOrders(
    tx,
    opened.flatMap(({ becomeBad }) => becomeBad ?? []),
  )
  if (orderIds.length > 0) for (const run of whenDayOpened) await run(tx, { day, orderIds })
  const fines = opened.reduce((sum, { fine }) => sum + fine, 0)
  const isLast = loans.length < chunk
  await sql`
    update day_opening set cursor_id = ${orderIds.at(-1) ?? begun.cursor_id},
      orders = orders + ${orderIds.length}, overdue = overdue + ${overdue.length},
      bad = bad + ${bad.length}, fines = fines + ${fines}::bigint,
      finished_at = case when ${isLast} then clock_timestamp() end where day = ${day}`.execute(
    tx.db,
  )
  tx.log({
    action: 'openDay',
    targetKind: 'day',
    targetId: day,
    after: { orders: orderIds.length, overdue: overdue.length, bad: bad.length, fines },
  })
  return isLast
}

/** The effect of the day on one loan. */
interface OpenedLoan {
  /** Changed plans. */
  plans: LoanPlan[]
  postings: Posting[]
  /** Paise charged. */
  fine: number
  duePassed?: OrderMove
  becomeBad?: OrderMove
  /** Paise paid under a settlement plan with a missed row. */
  broken?: number
  /** Figures of an order whose status does not change. */
  stamp?: StampedOrder
}

/** A stop of fines ended the day before. */
function isStopOver(loan: Loan, day: string): boolean {
  const { reduction } = loan
  return (
    missedSettlement(loan, day) !== undefined || (reduction !== null && reduction.validUntil < day)
  )
}

interface Beginning {
  day: string
  badDebtDays: number
  /** For a loan whose stop has ended. */
  stored: StoredHistory | undefined
}

/** An EMI loan that is old enough to become a bad debt on the day: the rest is due at once. */
function mayBeCalledIn(loan: Loan, day: string, badDebtDays: number): boolean {
  const least = loan.emi?.badDebtDays ?? badDebtDays
  return Boolean(loan.emi) && overdueDaysOn(loan, loan.plans, day) >= least
}

function openLoan(given: Loan, { day, badDebtDays, stored }: Beginning): OpenedLoan {
  const { orderId } = given
  const broken = missedSettlement(given, day)
  // without its settlement plan the days of its instalments count again, and so do the fines since
  const loan = broken === undefined ? given : { ...given, settlement: null }
  const isOver = stored !== undefined && isStopOver(given, day)
  const charges = !isOver
    ? null
    : chargesOfDay(given, stored, { day, isPlanOver: broken !== undefined })
  const open = loan.plans.filter((plan) => outstandingOf(plan) > 0)
  const changed: LoanPlan[] = []
  const fines: Line[] = []
  let fine = 0
  for (const plan of open) {
    if (plan.dueDay >= day) continue
    const fineDay = fineDayOf(loan, day)
    const charged = charges?.get(plan.planId) ?? fineOnDay(plan, loan.penalty, fineDay).charged
    const after = {
      ...plan,
      fine: plan.fine + charged,
      overdueFine: plan.overdueFine + charged,
      fineTo: plan.fineTo !== null && plan.fineTo > fineDay ? plan.fineTo : fineDay,
      overdueDays: daysBetween(plan.dueDay, day),
    }
    changed.push({ ...after, status: planStatus(after, plan.status === 'processing') })
    fines.push(
      { account: LEDGER_ACCOUNT.fineReceivable, planId: plan.planId, amount: charged },
      { account: LEDGER_ACCOUNT.fineIncome, planId: plan.planId, amount: -charged },
    )
    fine += charged
  }
  const badFrom = loan.emi?.badDebtDays ?? badDebtDays
  const fined = loan.plans.map(
    (plan) => changed.find(({ planId }) => planId === plan.planId) ?? plan,
  )
  const days = overdueDaysOn(loan, fined, day)
  const isBadNow = (loan.status === 50 || (loan.status === 30 && days > 0)) && days >= badFrom
  const history = stored !== undefined && broken !== undefined ? withoutPlan(stored, day) : stored
  const called = isBadNow && history !== undefined ? callIn(loan, history, day) : null
  const outstanding =
    called === null
      ? open.reduce((sum, plan) => sum + outstandingOf(plan), 0) + fine
      : called.plans.reduce((sum, plan) => sum + outstandingOf(plan), 0)
  // plans come oldest due first
  const dueDay = open[0]?.dueDay ?? day
  const overdueDays = overdueDaysOn(loan, loan.plans, day)
  // the class follows the arrears, not the settlement plan
  const stamp: StampedOrder = {
    orderId,
    outstanding,
    overdueDays,
    rbiClass: rbiClassOf(Math.max(0, daysBetween(dueDay, day)), loan.rbiClass),
  }
  const set = { outstanding, overdue_days: overdueDays, rbi_class: stamp.rbiClass }
  const isDuePassed = loan.status === 30 && overdueDays > 0
  const isBad = (loan.status === 50 || isDuePassed) && overdueDays >= badFrom
  const isSame =
    stamp.outstanding === loan.outstanding &&
    stamp.overdueDays === loan.overdueDays &&
    stamp.rbiClass === loan.rbiClass
  return {
    plans: (called?.plans ?? changed).filter((plan) => isOther(plan, loan.plans)),
    postings: [
      { kind: 'overdueFine', orderId, bizDate: day, refId: null, lines: fines },
      ...(called?.postings ?? []),
      ...(isBad ? [badDebtPosting(orderId, called?.plans ?? open, day)] : []),
    ],
    fine,
    ...(isDuePassed
      ? {
          duePassed: {
            orderId,
            event: { type: 'DUE_PASSED', today: day, dueDay, balancePaise: outstanding },
            cause: 'duePassed',
            set,
          },
        }
      : {}),
    ...(isBad
      ? {
          becomeBad: {
            orderId,
            event: { type: 'BECOME_BAD', overdueDays, badDebtDays: badFrom },
            cause: broken === undefined ? 'becomeBad' : 'settlementBroken',
            set,
          },
        }
      : {}),
    ...(isDuePassed || isBad || isSame ? {} : { stamp }),
    ...(broken === undefined ? {} : { broken }),
  }
}

/**
 * Paise paid under a settlement plan that ends because a row was missed; the plan continues while a
 * payment is in progress.
 */
function missedSettlement({ status, settlement, plans }: Loan, day: string): number | undefined {
  if (settlement === null || status === 43) return undefined
  const paid = settledOf(settlement, plans)
  return isSettlementMissed(settlement.rows, paid, day) ? paid : undefined
}

function isOther(plan: LoanPlan, before: readonly LoanPlan[]): boolean {
  return (
    JSON.stringify(plan) !== JSON.stringify(before.find(({ planId }) => planId === plan.planId))
  )
}

/** Moves the principal to the doubtful principal. */
function badDebtPosting(orderId: string, open: readonly LoanPlan[], day: string): Posting {
  return {
    kind: 'badDebt',
    orderId,
    bizDate: day,
    refId: null,
    lines: open.flatMap(({ planId, principal }): Line[] => [
      { account: LEDGER_ACCOUNT.doubtfulPrincipal, planId, amount: principal },
      { account: LEDGER_ACCOUNT.principalReceivable, planId, amount: -principal },
    ]),
  }
}
