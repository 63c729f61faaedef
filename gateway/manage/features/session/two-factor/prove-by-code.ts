import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { CODE_WRONG } from '#shared/session/session-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { recoveryHash } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/**
 * Sealing context of a secret; a pending one is sealed for the same place, so that confirming only
 * moves it.
 */
export const SECRET_PLACE = 'sys_user.totp_secret'

export interface CodeHolder {
  id: string
  account: string
  totp_secret: Buffer | null
}

/**
 * Verifies a code of the app, or a recovery code where `recovery` allows it. Each works once: the
 * account's row stores the newest time step that was accepted, and of concurrent requests with one
 * code the first wins.
 * @throws Problem S-CODE
 */
export async function proveByCode(
  tx: CommandTx,
  holder: CodeHolder,
  code: string,
  recovery = true,
): Promise<void> {
  if (/^\d{6}$/.test(code)) {
    const step =
      holder.totp_secret === null
        ? null
        : stepOfCode(
            tx.context.secrets.open(SECRET_PLACE, holder.id, holder.totp_secret),
            code,
            Date.parse(await tx.now()) / 1_000,
          )
    if (step === null) throw new Problem(CODE_WRONG)
    const opened = await sql`
        update sys_user set totp_last_step = ${step} where id = ${holder.id} and two_factor
          and coalesce(totp_last_step, -1) < ${step}`.execute(tx.db)
    if (opened.numAffectedRows !== 1n) throw new Problem(CODE_WRONG)
    return
  }
  const hash = recoveryHash(tx.context.secrets, holder.id, code)
  const opened = recovery
    ? await sql`
      update sys_user set recovery_hashes = array_remove(recovery_hashes, ${hash}) where id = ${holder.id}
        and two_factor and ${hash} = any(recovery_hashes)`.execute(tx.db)
    : null
  if (opened?.numAffectedRows !== 1n) throw new Problem(CODE_WRONG)
  tx.log({ action: 'recoveryCode', targetKind: 'user', targetId: holder.id })
}
