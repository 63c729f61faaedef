import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem, TOO_MANY_REQUESTS } from '#shared/kernel/problem.ts'
import type { reportError as reportCall } from '#shared/errors/errors-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

const PER_MINUTE = 20

/**
 * Stores a browser error; repeated ones are rate limited. The query of the address may identify a
 * customer, so only the path is stored.
 * @throws Problem G-RATE
 */
export async function reportError(
  tx: CommandTx,
  { message, stack, url, version }: InputOf<typeof reportCall>,
): Promise<null> {
  const { userId, sessionId, agent } = staff(tx.actor)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from client_error e
    where e.session_id = ${sessionId} and e.at > clock_timestamp() - interval '1 minute'`.execute(
    tx.db,
  )
  if ((rows[0]?.n ?? 0) >= PER_MINUTE) throw new Problem(TOO_MANY_REQUESTS, { s: 60 })
  await sql`
    insert into client_error (user_id, session_id, message, stack, url, version, agent)
    values (${userId}, ${sessionId}, ${message}, ${stack ?? null}, ${url.replace(/[?#].*$/, '')},
      ${version}, ${agent})`.execute(tx.db)
  tx.log({ action: 'clientError', targetKind: 'session', targetId: sessionId })
  return null
}
