import { type RawBuilder, sql } from 'kysely'
import type { RunCount, RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { runPerRow } from '#gateway/manage/kernel/system-command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { dispatchPayout } from './dispatch-payout.ts'
import { PAYOUT_FACT_JOINS, payoutObstacle } from './payout-facts.ts'

const BATCH = 200

/**
 * Pays out approved orders once nothing blocks them; counts the others by reason.
 * @param servesAll the installation has a vendor for apps without services of their own
 */
export function dispatcherOf({ servesAll }: { servesAll: boolean }): ScheduledClass {
  return { name: 'payoutDispatch', cycle: 'every:60', run: (context) => run(context, servesAll) }
}

export const payoutDispatch = dispatcherOf({ servesAll: true })

async function run(context: AppContext, servesAll: boolean): Promise<RunCounts> {
  const nameThreshold = await context.parameters.int('review.nameSimilarity')
  const vendorCode = await context.parameters.text('payout.vendor')
  const ready = await readyOrders(context, nameThreshold, servesAll)
  // an order that was cancelled or blacklisted meanwhile is refused
  const started = await runPerRow(
    context,
    ready,
    { name: 'payoutDispatch', audit: { action: 'disburse', targetKind: 'order' } },
    (tx, orderId) => dispatchPayout(tx, orderId, { nameThreshold, vendorCode }),
  )
  if (ready.length === BATCH && started > 0) context.wakeSchedule('payoutDispatch')
  return { started, ...(await waitingOrders(context, nameThreshold, servesAll)) }
}

/** Why an order is not paid out yet; null when nothing blocks it. */
function obstacle(nameThreshold: number, servesAll: boolean): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${payoutObstacle(nameThreshold)},
    case when not ${servesAll} and not exists (select 1 from tp_app_cfg s where s.app_id = o.app_id
      and s.kind = 'payout' and s.status = 'enabled') then 'noVendor' end)`
}

async function readyOrders(
  context: AppContext,
  nameThreshold: number,
  servesAll: boolean,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o ${PAYOUT_FACT_JOINS} where o.status in (20, 26)
      and ${obstacle(nameThreshold, servesAll)} is null order by o.created_at limit ${BATCH}`.execute(
    context.database.kysely,
  )
  return rows.map((row) => row.id)
}

async function waitingOrders(
  context: AppContext,
  nameThreshold: number,
  servesAll: boolean,
): Promise<RunCounts> {
  const { rows } = await sql<{ obstacle: RunCount; count: number }>`
    select w.obstacle, count(*)::int as count from (
      select ${obstacle(nameThreshold, servesAll)} as obstacle from loan_order o ${PAYOUT_FACT_JOINS}
        where o.status in (20, 26)
    ) w where w.obstacle is not null group by w.obstacle order by w.obstacle`.execute(
    context.database.kysely,
  )
  return Object.fromEntries(rows.map(({ obstacle: what, count }) => [what, count]))
}
