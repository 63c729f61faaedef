import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { lockLoan } from './loan-store.ts'
import { lockRecord } from './record-store.ts'
import { failPayment } from './fail-payment.ts'

const BATCH = 500

/**
 * Fails payments without a result after repay.timeoutHours; their order returns to its previous
 * status. Parked payments wait for staff instead.
 */
export const paymentTimeout: ScheduledClass = {
  name: 'paymentTimeout',
  cycle: 'every:600',
  async run(context) {
    const hours = await context.parameters.int('repay.timeoutHours')
    const { rows } = await sql<{ id: string; order_id: string }>`
      select r.id, r.order_id from repay_record r
      where r.pay_state = 'inProgress' and r.flag is null
        and r.created_at < clock_timestamp() - make_interval(hours => ${hours}) order by r.created_at
        limit ${BATCH}`.execute(context.database.kysely)
    let failed = 0
    for (const { id, order_id } of rows) {
      const outcome = await runCommand(
        context,
        {
          actor: systemActor('paymentTimeout'),
          audit: { action: 'payment.timeout', targetKind: 'record', targetId: id },
        },
        (tx) => failUnanswered(tx, id, order_id, hours),
      )
      // without an idempotency key a command is never replayed by the runner
      if ((outcome as { result: boolean }).result) failed += 1
    }
    if (rows.length === BATCH && failed > 0) context.wakeSchedule('paymentTimeout')
    return { failed }
  },
}

/** @returns false when its result has just arrived */
async function failUnanswered(
  tx: CommandTx,
  recordId: string,
  orderId: string,
  hours: number,
): Promise<boolean> {
  const loan = await lockLoan(tx.db, orderId)
  const record = await lockRecord(tx.db, recordId)
  if (record?.pay_state !== 'inProgress') return false
  await failPayment(tx, loan, record, `No result within ${hours} h`)
  return true
}
