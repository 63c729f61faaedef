import { randomBytes } from 'node:crypto'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { idleMinutesOf } from './authenticate.ts'
import { emitPresence, isPersonOnline } from './emit-presence.ts'
import { endSessions } from './end-sessions.ts'
import { insertSession, newToken } from './session-store.ts'

export interface Caller {
  ip: string
  agent: string | null
  requestId: string
}
export interface LoggedIn {
  token: string
  bind: string | null
}
export interface Account {
  id: string
  user_name: string
  role_mark: string
}

/**
 * Opens a session for an authenticated person; the oldest sessions above `session.max` end.
 * @param bound a browser session gets a bind cookie, that of a plain API client does not
 * @param within runs in the same transaction
 */
export async function openSession(
  context: AppContext,
  account: Account,
  caller: Caller,
  bound: boolean,
  within: (tx: CommandTx) => Promise<void>,
): Promise<LoggedIn> {
  const token = newToken()
  const bind = bound ? randomBytes(32).toString('base64url') : null
  const id = `S${randomBytes(12).toString('hex')}`
  const idleMinutes = await idleMinutesOf(context, account.role_mark)
  const keepNewest = await context.parameters.int('session.max')
  const actor = {
    ...systemActor(account.user_name, caller.requestId),
    userId: account.id,
    ip: caller.ip,
    agent: caller.agent,
  }
  await runCommand(
    context,
    { actor, audit: { action: 'login', targetKind: 'session', targetId: id }, whenFull: true },
    async (tx: CommandTx) => {
      await within(tx)
      const wasOnline = await isPersonOnline(tx, account.id)
      await insertSession(tx.db, {
        id,
        userId: account.id,
        token,
        bind,
        ip: caller.ip,
        agent: caller.agent,
        idleMinutes,
      })
      await endSessions(tx, account.id, 'newerLogin', { keepNewest })
      if (!wasOnline) await emitPresence(tx, account.id, true)
    },
  )
  return { token, bind }
}
