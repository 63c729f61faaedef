/** Transfers whose result is overdue: from then on people may end them (end-transfer.ts). */
import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { emitTransfer, notifyThoseWhoMayAct } from './transfer-conflict.ts'

/** Marked in one run. */
const MOST = 500

const IS_LATE = sql`
  t.pay_state = 'inProgress' and t.late_at is null and t.created_at < clock_timestamp()
    - make_interval(mins => ${intParameter('payout.lateMinutes')})`

/** Marks them, and notifies those who may act, once for all. @returns how many were marked */
export async function markLateTransfers(context: AppContext): Promise<number> {
  const { rows } = await sql`
    select from payout_transfer t where ${IS_LATE} limit 1`.execute(context.database.kysely)
  if (rows.length === 0) return 0
  const { result } = await runCommand(
    context,
    { actor: systemActor('payoutPoll'), audit: { action: 'transfersLate' } },
    async (tx) => {
      const { rows: marked } = await sql<{ id: string }>`
        update payout_transfer set late_at = clock_timestamp(), updated_at = clock_timestamp(),
          version = version + 1
        where id in (select t.id from payout_transfer t where ${IS_LATE} order by t.created_at
          limit ${MOST} for update skip locked) returning id`.execute(tx.db)
      const ids = marked.map(({ id }) => id)
      if (ids.length === 0) return 0
      for (const id of ids) await emitTransfer(tx, id)
      await notifyThoseWhoMayAct(
        tx,
        { count: ids.length },
        {
          titleKey: 'orders:notification.late',
          route: '/order_management/loan_list?tab=transfers&conflict=late',
        },
      )
      tx.log({ action: 'transfersLate', targetKind: 'transfer', targetId: ids.join(' ') })
      return ids.length
    },
  )
  return result
}
