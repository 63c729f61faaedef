import { sql } from 'kysely'
import { runPerRow } from '#gateway/manage/kernel/system-command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { moveOrder } from './move-order.ts'

const BATCH = 500

/** Ends offers that were not paid out in time: 20, 26 approved over `order.offerHours` ago → 70. */
export const offerExpire: ScheduledClass = {
  name: 'offerExpire',
  cycle: '7 * * * *',
  async run(context) {
    const hours = await context.parameters.int('order.offerHours')
    const stale = await staleOffers(context, hours)
    // an order that was paid out or cancelled meanwhile is refused
    const expired = await runPerRow(
      context,
      stale,
      { name: 'offerExpire', audit: { action: 'offerExpire', targetKind: 'order' } },
      (tx, orderId) =>
        moveOrder(
          tx,
          orderId,
          { type: 'CANCEL', withdrawn: false, offerExpired: true },
          { cause: 'offerExpired' },
        ),
    )
    if (stale.length === BATCH && expired > 0) context.wakeSchedule('offerExpire')
    return { expired }
  },
}

async function staleOffers(context: AppContext, hours: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o
    where o.status in (20, 26)
      and (select max(l.at) from order_status_log l where l.order_id = o.id
        and l.to_status = o.status) < clock_timestamp() - make_interval(hours => ${hours})
    order by o.created_at limit ${BATCH}`.execute(context.database.kysely)
  return rows.map((row) => row.id)
}
