import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { releaseWorth } from './coupon-store.ts'
import { changeGrant, lockWithCoupon, nextGrantState } from './grant-store.ts'

const BATCH = 1_000
/** Of one transaction: a payment that uses one of them waits for it. */
const CHUNK = 50

/** Expires unused coupons on the IST day after their last. */
export const couponExpire: ScheduledClass = {
  name: 'couponExpire',
  cycle: '20 0 * * *',
  async run(context) {
    const { rows } = await sql<{ id: string }>`
      select g.id from coupon_grant g
      where g.state = 'unused'
        and g.valid_until < (clock_timestamp() at time zone 'Asia/Kolkata')::date
      order by g.coupon_id, g.id limit ${BATCH}`.execute(context.database.kysely)
    let expired = 0
    for (let from = 0; from < rows.length; from += CHUNK) {
      const ids = rows.slice(from, from + CHUNK).map(({ id }) => id)
      const outcome = await runCommand(
        context,
        { actor: systemActor('couponExpire'), audit: { action: 'couponExpire' } },
        async (tx) => {
          let done = 0
          for (const id of ids) if (await expire(tx, id)) done += 1
          return done
        },
      )
      // without an idempotency key a command is never replayed by the runner
      expired += (outcome as { result: number }).result
    }
    if (rows.length === BATCH && expired > 0) context.wakeSchedule('couponExpire')
    return { expired }
  },
}

/** @returns false when it was used or revoked meanwhile */
async function expire(tx: CommandTx, grantId: string): Promise<boolean> {
  const grant = await lockWithCoupon(tx.db, grantId)
  if (grant?.state !== 'unused') return false
  const state = nextGrantState(grant, {
    type: 'EXPIRE',
    today: istDay(await tx.now()),
    validUntil: grant.valid_until,
  })
  await changeGrant(tx, grant, state, [sql`ended_at = clock_timestamp()`])
  await releaseWorth(tx, grant.coupon_id, grant.worth)
  tx.log({
    menu: 'coupon_list',
    action: 'couponExpire',
    targetKind: 'couponGrant',
    targetId: grantId,
    before: { state: grant.state },
    after: { state },
  })
  return true
}
