import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { pollPairing as call } from '#shared/wall/wall-api.ts'
import { CODE_UNKNOWN } from '#shared/wall/wall-problems.ts'
import { hashOf, newToken } from '#gateway/manage/features/session/public.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { TOKEN_PREFIX } from './screen-token.ts'

export interface Polled {
  answer: DataOf<typeof call>
  /** For the HttpOnly cookie of a browser. */
  bind: string | null
}

/**
 * The secret returns a new token until one was used, so that a screen that lost the answer can ask
 * again.
 * @throws Problem B-CODE for an unknown secret
 */
export async function pollPairing(
  context: AppContext,
  pollSecret: string,
  bound: boolean,
  requestId: string,
): Promise<Polled> {
  const { rows } = await sql<{ id: string; state: string; late: boolean }>`
    select d.id, d.state, d.code_until <= clock_timestamp() as late from board_device d
      where d.poll_hash = ${hashOf(pollSecret)}`.execute(context.database.kysely)
  const row = rows[0]
  if (!row) throw new Problem(CODE_UNKNOWN)
  if (row.state !== 'active')
    return { answer: { state: row.late ? 'expired' : 'waiting' }, bind: null }
  const token = TOKEN_PREFIX + newToken()
  const bind = bound ? newToken() : null
  const hours = await context.parameters.int('session.boardHours')
  await runCommand(
    context,
    {
      actor: systemActor('wallScreen', requestId),
      audit: { action: 'pairToken', menu: 'loaned_board', targetKind: 'board', targetId: row.id },
    },
    async (tx) => {
      const { numAffectedRows } = await sql`
      update board_device set token_hash = ${hashOf(token)},
        bind_hash = ${bind === null ? null : hashOf(bind)}, rotated_at = clock_timestamp(),
        expires_at = clock_timestamp() + make_interval(hours => ${hours})
      where id = ${row.id} and state = 'active' and poll_hash = ${hashOf(pollSecret)}`.execute(
        tx.db,
      )
      if (numAffectedRows !== 1n) throw new Problem(CODE_UNKNOWN)
    },
  )
  return { answer: { state: 'active', token }, bind }
}
