/** Tells the desk its figures when they have changed since this process last told them. */
import { sql } from 'kysely'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import { REVIEW_QUEUE_STATS } from '#shared/review/review-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { HELD, OLDEST_TIME, REVIEWERS_ONLINE, WAITING } from './queue-stats.ts'
import { QUEUE_ROOM } from './review-events.ts'

const NAME = 'liveStats'
const told = new WeakMap<House, string>()

export const liveStats: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(house) {
    const { rows } = await sql<DataOfEvent<typeof REVIEW_QUEUE_STATS>>`
      select ${WAITING} as waiting, ${OLDEST_TIME} as "oldestTime", ${HELD} as held, ${REVIEWERS_ONLINE} as "reviewersOnline"`.execute(
      house.database.kysely,
    )
    const figures = JSON.stringify(rows[0])
    const before = told.get(house)
    if (figures === before) return ''
    // no command and no row changes: the event alone is the effect, so it needs neither a transaction nor an audit line
    await sql`
      insert into outbox_event (type, subject, rooms, data, actor_name) values (${REVIEW_QUEUE_STATS.type}, ${QUEUE_ROOM}, array[${QUEUE_ROOM}::text], ${figures}::jsonb, ${NAME})`.execute(
      house.database.kysely,
    )
    told.set(house, figures)
    house.wakeRelay()
    return 'told'
  },
}
