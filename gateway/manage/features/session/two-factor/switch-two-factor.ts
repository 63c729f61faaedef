import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { USER_CHANGED } from '#shared/session/session-live.ts'
import { CODE_WRONG, ENROL_FIRST } from '#shared/session/session-problems.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { countFailedLogin } from '../failed-logins.ts'
import { accountFor } from './account-for.ts'
import { proveByCode, SECRET_PLACE } from './prove-by-code.ts'
import { stepOfCode } from './totp.ts'

/**
 * On: a code proves that an app holds the offered secret. Off: the caller proves their identity by
 * an own code, also when resetting the lost phone of somebody else.
 * @throws Problem S-CODE, S-TRY, S-ENROL (off for another without two-factor login of the caller),
 * G404
 */
export async function switchTwoFactor(
  context: AppContext,
  actor: StaffActor,
  given: { userId: string; on: boolean; code: string },
): Promise<{ twoFactor: boolean }> {
  const login = await countFailedLogin(context, 'code', actor.userId, actor.ip ?? '')
  try {
    await runCommand(
      context,
      {
        actor,
        audit: {
          action: given.on ? 'twoFactorOn' : 'twoFactorOff',
          targetKind: 'user',
          targetId: given.userId,
        },
      },
      async (tx) => {
        const status = await (given.on
          ? switchOn(tx, actor, given.userId, given.code)
          : switchOff(tx, actor, given.userId, given.code))
        await login.succeeded(tx.db)
        tx.emit(USER_CHANGED, {
          subject: `user:${given.userId}`,
          rooms: [`user:${given.userId}`, 'menu:user'],
          data: { userId: given.userId, status },
        })
        tx.afterCommit(() => context.forgetSessions(given.userId))
      },
    )
  } catch (error) {
    if (!(error instanceof Problem && error.id === CODE_WRONG.id)) await login.forget()
    throw error
  }
  return { twoFactor: given.on }
}

/** @returns the account's status, for the event */
async function switchOn(
  tx: CommandTx,
  actor: StaffActor,
  userId: string,
  code: string,
): Promise<string> {
  const { pending } = await accountFor(tx.db, actor, userId)
  const step =
    pending === null
      ? null
      : stepOfCode(
          tx.context.secrets.open(SECRET_PLACE, userId, pending),
          code,
          Date.parse(await tx.now()) / 1_000,
        )
  if (step === null) throw new Problem(CODE_WRONG)
  const { rows } = await sql<{ status: string }>`
    update sys_user set two_factor = true, totp_secret = totp_pending, totp_last_step = ${step},
      recovery_hashes = recovery_pending,
      totp_pending = null, recovery_pending = null, totp_pending_at = null
    where id = ${userId} and totp_pending = ${pending} returning status`.execute(tx.db)
  if (!rows[0]) throw new Problem(CODE_WRONG)
  return rows[0].status
}

async function switchOff(
  tx: CommandTx,
  actor: StaffActor,
  userId: string,
  code: string,
): Promise<string> {
  if (userId !== actor.userId) await accountFor(tx.db, actor, userId)
  const caller = await accountFor(tx.db, actor, actor.userId)
  if (!caller.two_factor) throw new Problem(userId === actor.userId ? CODE_WRONG : ENROL_FIRST)
  await proveByCode(tx, caller, code, false)
  const { rows } = await sql<{ status: string }>`
    update sys_user set two_factor = false, totp_secret = null, totp_last_step = null,
      recovery_hashes = '{}', totp_pending = null, recovery_pending = null, totp_pending_at = null
    where id = ${userId} returning status`.execute(tx.db)
  return rows[0]?.status ?? ''
}
