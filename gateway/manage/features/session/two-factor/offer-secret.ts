import { sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { accountFor } from './account-for.ts'
import { SECRET_PLACE } from './prove-by-code.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'

/**
 * A new secret with recovery codes, shown once. They take effect when a code confirms them.
 * @throws Problem G404
 */
export async function offerSecret(
  context: AppContext,
  actor: StaffActor,
  userId: string,
): Promise<{ otpauthUri: string; secret: string; recoveryCodes: string[] }> {
  const secret = newTotpSecret()
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((code) => recoveryHash(context.secrets, userId, code))
  const sealed = context.secrets.seal(SECRET_PLACE, userId, secret)
  // without a stored answer, because it holds the secret
  let account = ''
  await runCommand(
    context,
    { actor, audit: { action: 'twoFactorSecret', targetKind: 'user', targetId: userId } },
    async (tx) => {
      account = (await accountFor(tx.db, actor, userId)).account
      await sql`
        update sys_user set totp_pending = ${sealed}, recovery_pending = ${hashes},
          totp_pending_at = clock_timestamp() where id = ${userId}`.execute(tx.db)
    },
  )
  return { otpauthUri: otpauthUri(account, secret), secret, recoveryCodes }
}
