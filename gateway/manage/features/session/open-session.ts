import { randomBytes } from 'node:crypto'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { idleMinutesOf } from './authenticate.ts'
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
 * A session of somebody who has proved who he is; the oldest over `session.max` end.
 * @param bound a browser's session gets a bind cookie; a plain API client's does not
 * @param within runs in the same transaction
 */
export async function openSession(
  house: House,
  account: Account,
  caller: Caller,
  bound: boolean,
  within: (cx: Cx) => Promise<void>,
): Promise<LoggedIn> {
  const token = newToken()
  const bind = bound ? randomBytes(32).toString('base64url') : null
  const id = `S${randomBytes(12).toString('hex')}`
  const idleMinutes = await idleMinutesOf(house, account.role_mark)
  const keepNewest = await house.parameters.int('session.max')
  const actor = {
    ...systemActor(account.user_name, caller.requestId),
    userId: account.id,
    ip: caller.ip,
    agent: caller.agent,
  }
  await runCommand(
    house,
    { actor, audit: { action: 'login', targetKind: 'session', targetId: id } },
    async (cx: Cx) => {
      await within(cx)
      await insertSession(cx.db, {
        id,
        userId: account.id,
        token,
        bind,
        ip: caller.ip,
        agent: caller.agent,
        idleMinutes,
      })
      await endSessions(cx, account.id, 'newerLogin', { keepNewest })
    },
  )
  return { token, bind }
}
