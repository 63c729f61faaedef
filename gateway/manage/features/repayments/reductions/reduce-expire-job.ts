import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { WhenPaid } from '../paid-order.ts'
import { expireReduction } from './end-reduction.ts'

/**
 * Expires an approved reduction on the day after its last. While a payment made during its validity
 * is in progress, the job checks it again in ten minutes.
 */
export function reduceExpire(whenPaid: readonly WhenPaid[]): ScheduledClass {
  return {
    name: 'reduceExpire',
    cycle: 'every:600',
    async run(context) {
      const { rows } = await sql<{
        id: string
      }>`
        select d.id
        from reduction d
        where d.state = 'approved'
          and d.valid_until < (clock_timestamp() at time zone 'Asia/Kolkata')::date
        order by d.valid_until, d.id
        limit 5000`.execute(context.database.kysely)
      let expired = 0
      for (const { id } of rows) {
        const outcome = await runCommand(
          context,
          {
            actor: systemActor('reduceExpire'),
            audit: { action: 'reduceExpire', targetKind: 'reduction', targetId: id },
          },
          (tx) => expireReduction(tx, id, whenPaid),
        )
        // without an idempotency key a command is never replayed by the runner
        if ((outcome as { result: boolean }).result) expired += 1
      }
      return { expired }
    },
  }
}
