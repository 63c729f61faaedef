import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { USER_CHANGED } from '#shared/session/session-live.ts'
import { CODE_WRONG, ENROL_FIRST } from '#shared/session/session-problems.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { takeAttempt } from '../attempts.ts'
import { accountFor } from './account-for.ts'
import { proveByCode, SECRET_PLACE } from './prove-by-code.ts'
import { stepOfCode } from './totp.ts'

/**
 * On: a code of the offered secret shows that an app holds it. Off: the caller proves himself by a code of his own, also when he
 * resets somebody else's lost telephone.
 * @throws Problem S-CODE, S-TRY, S-ENROL (off for another without a second step of one's own), G404
 */
export async function switchTwoFactor(
  house: House,
  actor: StaffActor,
  given: { userId: string; on: boolean; code: string },
): Promise<{ twoFactor: boolean }> {
  const attempt = await takeAttempt(house, 'code', actor.userId, actor.ip ?? '')
  try {
    await runCommand(
      house,
      {
        actor,
        audit: {
          action: given.on ? 'twoFactorOn' : 'twoFactorOff',
          targetKind: 'user',
          targetId: given.userId,
        },
      },
      async (cx) => {
        const status = await (given.on
          ? switchOn(cx, actor, given.userId, given.code)
          : switchOff(cx, actor, given.userId, given.code))
        await attempt.succeeded(cx.db)
        cx.emit(USER_CHANGED, {
          subject: `user:${given.userId}`,
          rooms: [`user:${given.userId}`, 'menu:user'],
          data: { userId: given.userId, status },
        })
        cx.afterCommit(() => house.forgetSessions(given.userId))
      },
    )
  } catch (error) {
    if (!(error instanceof Problem && error.id === CODE_WRONG.id)) await attempt.takeBack()
    throw error
  }
  return { twoFactor: given.on }
}

/** @returns the account's status, for who watches it */
async function switchOn(cx: Cx, actor: StaffActor, userId: string, code: string): Promise<string> {
  const { pending } = await accountFor(cx.db, actor, userId)
  const step =
    pending === null
      ? null
      : stepOfCode(
          cx.house.secrets.open(SECRET_PLACE, userId, pending),
          code,
          Date.parse(await cx.now()) / 1_000,
        )
  if (step === null) throw new Problem(CODE_WRONG)
  const { rows } = await sql<{ status: string }>`
    update sys_user set two_factor = true, totp_secret = totp_pending, totp_last_step = ${step}, recovery_hashes = recovery_pending,
      totp_pending = null, recovery_pending = null, totp_pending_at = null
    where id = ${userId} and totp_pending = ${pending} returning status`.execute(cx.db)
  if (!rows[0]) throw new Problem(CODE_WRONG)
  return rows[0].status
}

async function switchOff(cx: Cx, actor: StaffActor, userId: string, code: string): Promise<string> {
  if (userId !== actor.userId) await accountFor(cx.db, actor, userId)
  const caller = await accountFor(cx.db, actor, actor.userId)
  if (!caller.two_factor) throw new Problem(userId === actor.userId ? CODE_WRONG : ENROL_FIRST)
  await proveByCode(cx, caller, code, false)
  const { rows } = await sql<{ status: string }>`
    update sys_user set two_factor = false, totp_secret = null, totp_last_step = null, recovery_hashes = '{}', totp_pending = null, recovery_pending = null, totp_pending_at = null
    where id = ${userId} returning status`.execute(cx.db)
  return rows[0]?.status ?? ''
}
