import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'

const CHUNK = 5_000
const LEAST_HOURS = 24

/**
 * Published events are kept for their term, a day at least, because the books are proven beside
 * them; answers of idempotency keys 7 days, machine events 7 days.
 */
export const outboxClean: ScheduledClass = {
  name: 'outboxClean',
  cycle: 'every:3600',
  async run(context) {
    const hours = Math.max(LEAST_HOURS, await context.parameters.int('retention.eventHours'))
    let events = 0
    for (;;) {
      const gone = await sql`
        delete from outbox_event where pos in (select e.pos from outbox_event e where e.seq is not null
          and e.published_at < clock_timestamp() - make_interval(hours => ${hours}) limit ${CHUNK})`.execute(
        context.database.kysely,
      )
      events += Number(gone.numAffectedRows ?? 0n)
      if ((gone.numAffectedRows ?? 0n) < BigInt(CHUNK)) break
    }
    const keys =
      await sql`delete from idempotency_key where created_at < clock_timestamp() - interval '7 days'`.execute(
        context.database.kysely,
      )
    await sql`delete from inbound_event where received_at < clock_timestamp() - interval '7 days'`.execute(
      context.database.kysely,
    )
    await sql`delete from login_failure where at < clock_timestamp() - interval '7 days'`.execute(
      context.database.kysely,
    )
    return { eventsRemoved: events, keysRemoved: Number(keys.numAffectedRows ?? 0n) }
  },
}
