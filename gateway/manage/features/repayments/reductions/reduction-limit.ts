/** How much of an order may be waived, and by which role. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import {
  capOf,
  itemsFor,
  LEVELLED_ROLES,
  levelOf,
  MOST_VALID_DAYS,
  type ReduceItems,
  rolesAbove,
} from '#shared/repayments/reduction-sets.ts'
import type { reductionLimit as call } from '#shared/repayments/reductions-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isOrderInScope } from '#gateway/manage/features/orders/public.ts'
import { outstandingOf, readLoan } from '../loan-store.ts'
import { openFees } from './count-reduction.ts'

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function reductionLimit(
  db: Db,
  actor: StaffActor,
  orderId: string,
): Promise<DataOf<typeof call>> {
  const loan = (await isOrderInScope(db, actor, orderId)) ? await readLoan(db, orderId) : null
  if (!loan) throw new Problem(NOT_FOUND)
  const { rows } = await sql<{
    now: string
    userName: string
    validDays: number
    openReduceId: string | null
  }>`
    select clock_timestamp() as now, c.name as "userName", (select x.value::int from sys_config x
      where x.code = 'reduce.validDays') as "validDays",
      (select d.id from reduction d where d.order_id = ${orderId}
        and d.state in ('pending', 'approved')) as "openReduceId"
    from customer c where c.id = ${loan.customerId}`.execute(db)
  const { now, userName, validDays, openReduceId } = rows[0] as {
    now: string
    userName: string
    validDays: number
    openReduceId: string | null
  }
  const today = istDay(now)
  const { open, principal, due } = openFees(loan, today)
  const { level } = levelOf(actor.rights.roleMark)
  const percents = await capPercents(db)
  const capPercent = percents.get(actor.rights.roleMark) ?? 0
  const cap = capOf(open, capPercent)
  return {
    orderId,
    version: loan.version,
    status: loan.status,
    userName,
    planId: loan.plans.find((plan) => outstandingOf(plan) > 0)?.planId ?? null,
    due,
    principal,
    open,
    capPercent,
    cap,
    maxItems: itemsFor(open, cap),
    approverRoles: await deciders(db, level),
    launchers: await launchersAbove(db, percents, open, cap),
    validFrom: today,
    validDefault: addDays(today, Math.min(MOST_VALID_DAYS, validDays)),
    validTo: addDays(today, MOST_VALID_DAYS),
    openReduceId,
  }
}

/** Per cent of the open fees by role; a role without a level has none. */
export async function capPercents(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{
    code: string
    percent: number
  }>`
    select x.code, x.value::int as percent
    from sys_config x
    where x.code like 'reduce.cap.%'
      and x.state = 'enabled'`.execute(db)
  const byCode = new Map(rows.map((row) => [row.code, row.percent]))
  return new Map(
    LEVELLED_ROLES.map((mark) => [
      mark,
      Math.min(100, Math.max(0, byCode.get(levelOf(mark).cap) ?? 0)),
    ]),
  )
}

/**
 * Roles that hold a code to launch and may request more than a cap, with their maximum in paise.
 */
export async function launchersAbove(
  db: Db,
  percents: ReadonlyMap<string, number>,
  open: ReduceItems,
  cap: number,
): Promise<{ role: string; cap: number }[]> {
  const holders = await holdersOf(
    db,
    sql`
      (x.menu_id = 'M_reduce_list' and 'launch' = any(x.buttons) or x.menu_id = 'M_pedding_list'
        and 'reduce' = any(x.buttons))`,
  )
  return [...percents]
    .map(([role, percent]) => ({ role, cap: capOf(open, percent) }))
    .filter((one) => one.cap > cap && holders.has(one.role))
}

/** Roles above a level that hold the code to decide. */
async function deciders(db: Db, level: number): Promise<string[]> {
  const holders = await holdersOf(
    db,
    sql`x.menu_id = 'M_reduce_list' and 'decide' = any(x.buttons)`,
  )
  return rolesAbove(level).filter((mark) => holders.has(mark))
}

async function holdersOf(db: Db, button: RawBuilder<unknown>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    mark: string
  }>`
    select g.unique_mark as mark
    from sys_role g
    join sys_role_menu x on x.role_id = g.id
    where ${button}
      and g.status = 'enabled'`.execute(db)
  return new Set(rows.map((row) => row.mark))
}
