import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { dispatchPayout } from './dispatch-payout.ts'
import { PAYOUT_FACT_JOINS, payoutObstacle } from './payout-facts.ts'

const BATCH = 200

/** Passed orders are paid out as soon as nothing stands in the way; the others wait, and the summary says for what. */
export const payoutDispatch: ScheduledClass = {
  name: 'payoutDispatch',
  cycle: 'every:60',
  async run(house) {
    const nameThreshold = await house.parameters.int('review.nameSimilarity')
    const vendorCode = await house.parameters.text('payout.vendor')
    const ready = await readyOrders(house, nameThreshold)
    let done = 0
    for (const orderId of ready) {
      try {
        await runCommand(
          house,
          {
            actor: systemActor('payoutDispatch'),
            audit: { action: 'disburse', targetKind: 'order', targetId: orderId },
          },
          (cx) => dispatchPayout(cx, orderId, { nameThreshold, vendorCode }),
        )
        done += 1
      } catch (error) {
        // cancelled or blacklisted a moment ago; the refusal is in the operate log
        if (!(error instanceof Problem)) throw error
      }
    }
    if (ready.length === BATCH && done > 0) house.wakeSchedule('payoutDispatch')
    const waiting = await waitingOrders(house, nameThreshold)
    return [...(done > 0 ? [`${done} sent to disbursement`] : []), ...waiting].join('; ')
  },
}

async function readyOrders(house: House, nameThreshold: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o ${PAYOUT_FACT_JOINS} where o.status in (20, 26) and ${payoutObstacle(nameThreshold)} is null order by o.created_at limit ${BATCH}`.execute(
    house.database.kysely,
  )
  return rows.map((row) => row.id)
}

async function waitingOrders(house: House, nameThreshold: number): Promise<string[]> {
  const { rows } = await sql<{ obstacle: string; count: number }>`
    select w.obstacle, count(*)::int as count from (
      select ${payoutObstacle(nameThreshold)} as obstacle from loan_order o ${PAYOUT_FACT_JOINS} where o.status in (20, 26)
    ) w where w.obstacle is not null group by w.obstacle order by w.obstacle`.execute(
    house.database.kysely,
  )
  return rows.map((row) => `${row.count} waiting: ${row.obstacle}`)
}
