import { sql } from 'kysely'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { roomOf, scopeOf } from '../board-scope.ts'
import type { FigureDesk } from './figure-desk.ts'

const NAME = 'boardTick'
/** Figures that move with the clock alone (follow-ups fall due, people come and go) may be this old on a quiet floor. */
const QUIET_MS = 10_000

/** Tells each board what changed. Nothing is read while nothing was written. */
export function boardTick(desk: FigureDesk): ScheduledClass {
  let last: { pos: string; at: number } | null = null
  return {
    name: NAME,
    cycle: 'every:2',
    async run(house) {
      const db = house.database.kysely
      const { rows } = await sql<{
        pos: string
      }>`select coalesce(max(e.pos), 0)::text as pos from outbox_event e where e.type <> ${BOARD_TICK.type} or e.actor_id is not null`.execute(
        db,
      )
      const pos = rows[0]?.pos ?? ''
      if (last !== null && last.pos === pos && performance.now() - last.at < QUIET_MS) return ''
      last = { pos, at: performance.now() }
      const ticks = await desk.ticks()
      if (ticks.length === 0) return ''
      // no command and no row of business changes: the event alone is the effect
      const events = ticks.map((tick) => ({
        subject: `board:${tick.scope}`,
        rooms: [roomOf(scopeOf(tick.scope))],
        data: tick,
      }))
      await sql`
        insert into outbox_event (type, subject, rooms, data, actor_name)
        select ${BOARD_TICK.type}, e.subject, e.rooms, e.data, ${NAME} from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (subject text, rooms text[], data jsonb)`.execute(
        db,
      )
      house.wakeRelay()
      return `${ticks.length} boards told`
    },
  }
}
