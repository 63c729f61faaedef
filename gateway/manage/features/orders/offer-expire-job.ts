import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { moveOrder } from './move-order.ts'

const BATCH = 500

/** An offer nobody could pay out in time ends (domain.md 3): 20, 26 older than `order.offerHours` since they were passed → 70. */
export const offerExpire: ScheduledClass = {
  name: 'offerExpire',
  cycle: '7 * * * *',
  async run(house) {
    const hours = await house.parameters.int('order.offerHours')
    const stale = await staleOffers(house, hours)
    let ended = 0
    for (const orderId of stale) {
      try {
        await runCommand(
          house,
          {
            actor: systemActor('offerExpire'),
            audit: { action: 'offerExpire', targetKind: 'order', targetId: orderId },
          },
          (cx) =>
            moveOrder(
              cx,
              orderId,
              { type: 'CANCEL', withdrawn: false, offerExpired: true },
              { cause: 'offerExpired' },
            ),
        )
        ended += 1
      } catch (error) {
        // paid out or cancelled a moment ago
        if (!(error instanceof Problem)) throw error
      }
    }
    if (stale.length === BATCH && ended > 0) house.wakeSchedule('offerExpire')
    return ended === 0 ? '' : `${ended} offers ended`
  },
}

async function staleOffers(house: House, hours: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o
    where o.status in (20, 26)
      and (select max(l.at) from order_status_log l where l.order_id = o.id and l.to_status = o.status) < clock_timestamp() - make_interval(hours => ${hours})
    order by o.created_at limit ${BATCH}`.execute(house.database.kysely)
  return rows.map((row) => row.id)
}
