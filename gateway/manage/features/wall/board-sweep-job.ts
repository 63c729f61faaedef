import { sql } from 'kysely'
import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { endBoard } from './board-store.ts'
import { tellEnd } from './revoke-boards.ts'

const NAME = 'boardSweep'

/** Codes nobody entered go away; screens that were off for longer than their token lives are ended. */
export const boardSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:600',
  async run(house) {
    await sql`delete from board_device where state = 'waiting' and code_until < clock_timestamp() - interval '1 hour'`.execute(
      house.database.kysely,
    )
    await sql`delete from board_scope where asked_at < clock_timestamp() - interval '1 day'`.execute(
      house.database.kysely,
    )
    const { rows } = await sql<{
      id: string
    }>`select d.id from board_device d where d.state = 'active' and d.expires_at <= clock_timestamp() order by d.id limit 500`.execute(
      house.database.kysely,
    )
    for (const { id } of rows) {
      await runCommand(
        house,
        {
          actor: systemActor(NAME),
          audit: { action: 'expire', menu: 'loaned_board', targetKind: 'board', targetId: id },
        },
        async (cx) => {
          const { rows: still } =
            await sql`select from board_device d where d.id = ${id} and d.state = 'active' and d.expires_at <= clock_timestamp() for update`.execute(
              cx.db,
            )
          if (still.length === 0) return
          const state = boardLifecycle.next('active', { type: 'RUN_OUT', timeOver: true })
          tellEnd(cx, id, state, await endBoard(cx, id, 'expired'), 'expired')
        },
      )
    }
    return rows.length === 0 ? '' : `${rows.length} screens ended`
  },
}
