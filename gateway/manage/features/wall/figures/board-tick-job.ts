import { sql } from 'kysely'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { roomOf, scopeOf } from '../board-scope.ts'
import { foldCaseCounts } from '#gateway/manage/features/collection/public.ts'
import type { FigureCache } from './figure-cache.ts'

const NAME = 'boardTick'
/** Maximum age of time-dependent figures (due follow-ups, attendance) on a quiet floor. */
const QUIET_MS = 10_000

/** Emits to each board what changed. Reads nothing while nothing was written. */
export function boardTick(desk: FigureCache): ScheduledClass {
  let last: { pos: string; at: number } | null = null
  return {
    name: NAME,
    cycle: 'every:2',
    async run(context) {
      const db = context.database.kysely
      const { rows } = await sql<{
        pos: string
      }>`
        select coalesce(max(e.pos), 0)::text as pos
        from outbox_event e
        where e.type <> ${BOARD_TICK.type} or e.actor_id is not null`.execute(db)
      const pos = rows[0]?.pos ?? ''
      if (last !== null && last.pos === pos && performance.now() - last.at < QUIET_MS) return {}
      last = { pos, at: performance.now() }
      await foldCaseCounts(db)
      const ticks = await desk.ticks()
      if (ticks.length === 0) return {}
      // no business row changes: the event alone is the effect
      const events = ticks.map((tick) => ({
        subject: `board:${tick.scope}`,
        rooms: [roomOf(scopeOf(tick.scope))],
        data: tick,
      }))
      await sql`
        insert into outbox_event (type, subject, rooms, data, actor_name)
        select ${BOARD_TICK.type}, e.subject, e.rooms, e.data, ${NAME}
          from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (subject text, rooms text[],
          data jsonb)`.execute(db)
      context.wakeRelay()
      return { updated: ticks.length }
    },
  }
}
