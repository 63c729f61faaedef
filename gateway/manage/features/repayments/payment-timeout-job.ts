import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { lockLoan } from './loan-store.ts'
import { lockRecord } from './record-store.ts'
import { failPayment } from './settle-payment.ts'

const BATCH = 500

/** Payments whose result never came (api.md 24): after repay.timeoutHours they fail and their order goes back. Parked money waits for a person. */
export const paymentTimeout: ScheduledClass = {
  name: 'paymentTimeout',
  cycle: 'every:600',
  async run(house) {
    const hours = await house.parameters.int('repay.timeoutHours')
    const { rows } = await sql<{ id: string; order_id: string }>`
      select r.id, r.order_id from repay_record r
      where r.pay_state = 'inProgress' and r.flag is null and r.created_at < clock_timestamp() - make_interval(hours => ${hours}) order by r.created_at limit ${BATCH}`.execute(
      house.database.kysely,
    )
    let failed = 0
    for (const { id, order_id } of rows) {
      const outcome = await runCommand(
        house,
        {
          actor: systemActor('paymentTimeout'),
          audit: { action: 'payment.timeout', targetKind: 'record', targetId: id },
        },
        (cx) => failUnanswered(cx, id, order_id, hours),
      )
      // without an idempotency key a command is never replayed by the runner
      if ((outcome as { result: boolean }).result) failed += 1
    }
    if (rows.length === BATCH && failed > 0) house.wakeSchedule('paymentTimeout')
    return failed === 0 ? '' : `${failed} payments failed without a result`
  },
}

/** @returns false when its result came a moment ago */
async function failUnanswered(
  cx: Cx,
  recordId: string,
  orderId: string,
  hours: number,
): Promise<boolean> {
  const loan = await lockLoan(cx.db, orderId)
  const record = await lockRecord(cx.db, recordId)
  if (record?.pay_state !== 'inProgress') return false
  await failPayment(cx, loan, record, `No result within ${hours} h`)
  return true
}
