import { sql } from 'kysely'
import { boardLifecycle } from '#shared/wall/board-lifecycle.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { endBoard } from './board-store.ts'
import { emitEnd } from './revoke-boards.ts'

const NAME = 'boardSweep'

/** Deletes codes nobody entered; ends screens that were off for longer than a token lives. */
export const boardSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:600',
  async run(context) {
    await sql`
      delete from board_device where state = 'waiting'
        and code_until < clock_timestamp() - interval '1 hour'`.execute(context.database.kysely)
    await sql`delete from board_scope where asked_at < clock_timestamp() - interval '1 day'`.execute(
      context.database.kysely,
    )
    const { rows } = await sql<{
      id: string
    }>`
      select d.id
      from board_device d
      where d.state = 'active' and d.expires_at <= clock_timestamp()
      order by d.id
      limit 500`.execute(context.database.kysely)
    for (const { id } of rows) {
      await runCommand(
        context,
        {
          actor: systemActor(NAME),
          audit: { action: 'expire', menu: 'loaned_board', targetKind: 'board', targetId: id },
        },
        async (tx) => {
          const { rows: still } = await sql`
              select from board_device d where d.id = ${id} and d.state = 'active'
                and d.expires_at <= clock_timestamp() for update`.execute(tx.db)
          if (still.length === 0) return
          const state = boardLifecycle.next('active', { type: 'RUN_OUT', timeOver: true })
          emitEnd(tx, id, state, await endBoard(tx, id, 'expired'), 'expired')
        },
      )
    }
    return { ended: rows.length }
  },
}
