import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { dispatchPayout } from './dispatch-payout.ts'
import { PAYOUT_FACT_JOINS, payoutObstacle } from './payout-facts.ts'

const BATCH = 200

/** Pays out approved orders once nothing blocks them; the summary counts the others by reason. */
export const payoutDispatch: ScheduledClass = {
  name: 'payoutDispatch',
  cycle: 'every:60',
  async run(context) {
    const nameThreshold = await context.parameters.int('review.nameSimilarity')
    const vendorCode = await context.parameters.text('payout.vendor')
    const ready = await readyOrders(context, nameThreshold)
    let done = 0
    for (const orderId of ready) {
      try {
        await runCommand(
          context,
          {
            actor: systemActor('payoutDispatch'),
            audit: { action: 'disburse', targetKind: 'order', targetId: orderId },
          },
          (tx) => dispatchPayout(tx, orderId, { nameThreshold, vendorCode }),
        )
        done += 1
      } catch (error) {
        // cancelled or blacklisted meanwhile; the operate log has the refusal
        if (!(error instanceof Problem)) throw error
      }
    }
    if (ready.length === BATCH && done > 0) context.wakeSchedule('payoutDispatch')
    const waiting = await waitingOrders(context, nameThreshold)
    return [...(done > 0 ? [`${done} sent to disbursement`] : []), ...waiting].join('; ')
  },
}

async function readyOrders(context: AppContext, nameThreshold: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o ${PAYOUT_FACT_JOINS} where o.status in (20, 26)
      and ${payoutObstacle(nameThreshold)} is null order by o.created_at limit ${BATCH}`.execute(
    context.database.kysely,
  )
  return rows.map((row) => row.id)
}

async function waitingOrders(context: AppContext, nameThreshold: number): Promise<string[]> {
  const { rows } = await sql<{ obstacle: string; count: number }>`
    select w.obstacle, count(*)::int as count from (
      select ${payoutObstacle(nameThreshold)} as obstacle from loan_order o ${PAYOUT_FACT_JOINS}
        where o.status in (20, 26)
    ) w where w.obstacle is not null group by w.obstacle order by w.obstacle`.execute(
    context.database.kysely,
  )
  return rows.map((row) => `${row.count} waiting: ${row.obstacle}`)
}
