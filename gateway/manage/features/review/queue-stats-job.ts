/** Emits the queue figures when they differ from those this process last emitted. */
import { sql } from 'kysely'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import { REVIEW_QUEUE_STATS } from '#shared/review/review-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { HELD, OLDEST_TIME, REVIEWERS_ONLINE, WAITING } from './queue-stats.ts'
import { QUEUE_ROOM } from './review-events.ts'

const NAME = 'liveStats'
const lastFigures = new WeakMap<AppContext, string>()

export const liveStats: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  async run(context) {
    let updated = 0
    // what was committed between the first look and its event is seen by the second
    for (let look = 0; look < LOOKS && (await emitFigures(context)); look += 1) updated += 1
    return updated === 0 ? {} : { updated }
  },
}

const LOOKS = 2

/** @returns whether they had changed */
async function emitFigures(context: AppContext): Promise<boolean> {
  const { rows } = await sql<DataOfEvent<typeof REVIEW_QUEUE_STATS>>`
    select ${WAITING} as waiting, ${OLDEST_TIME} as "oldestTime", ${HELD} as held,
      ${REVIEWERS_ONLINE} as "reviewersOnline"`.execute(context.database.kysely)
  const figures = JSON.stringify(rows[0])
  if (figures === lastFigures.get(context)) return false
  // no row changes, so this needs neither a transaction nor an audit line
  await sql`
    insert into outbox_event (type, subject, rooms, data, actor_name)
      values (${REVIEW_QUEUE_STATS.type}, ${QUEUE_ROOM}, array[${QUEUE_ROOM}::text], ${figures}::jsonb,
      ${NAME})`.execute(context.database.kysely)
  lastFigures.set(context, figures)
  context.wakeRelay()
  return true
}
