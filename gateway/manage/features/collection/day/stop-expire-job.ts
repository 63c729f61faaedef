import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { holdCases, resumeCases } from '../stops/hold-cases.ts'
import { closeStop, lockStops } from '../stops/stop-store.ts'

const EXPIRE = 'stopExpire'
const HOLD = 'stopHold'

/** Ends stops the morning after their last day; their cases return. */
export const stopExpire: ScheduledClass = {
  name: EXPIRE,
  cycle: '20 0 * * *',
  async run(context) {
    const { rows } = await sql<{
      id: string
    }>`
      select s.id
      from stop_collection s
      where s.state = 'active' and s.end_at < (clock_timestamp() at time zone 'Asia/Kolkata')::date
      order by s.end_at
      limit 5000`.execute(context.database.kysely)
    for (const { id } of rows) {
      await runCommand(
        context,
        { actor: systemActor(EXPIRE), audit: { action: EXPIRE, targetKind: 'stop', targetId: id } },
        async (tx) => {
          for (const stop of await lockStops(tx, sql<boolean>`s.id = ${id} and s.state = 'active'`))
            await resumeCases(tx, await closeStop(tx, stop, null))
        },
      )
    }
    return { ended: rows.length }
  },
}

/**
 * Holds cases a stop could not reach: those a run was placing at that moment, and those opened
 * since. The contact gate refuses contact meanwhile.
 */
export const stopHold: ScheduledClass = {
  name: HOLD,
  cycle: 'every:60',
  async run(context) {
    const { rows } = await sql<{ id: string }>`
      select min(s.id) as id from stop_collection s join collection_case c on c.customer_id = s.customer_id
      where s.state = 'active' and c.state in ('unallocated', 'allocated', 'promised')
        group by s.customer_id limit 500`.execute(context.database.kysely)
    for (const { id } of rows) {
      await runCommand(
        context,
        { actor: systemActor(HOLD), audit: { action: HOLD, targetKind: 'stop', targetId: id } },
        async (tx) => {
          for (const stop of await lockStops(tx, sql<boolean>`s.id = ${id} and s.state = 'active'`))
            await holdCases(tx, stop)
        },
      )
    }
    return { held: rows.length }
  },
}
