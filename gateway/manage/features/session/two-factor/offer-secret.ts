import { sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { accountFor } from './account-for.ts'
import { SECRET_PLACE } from './prove-by-code.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'

/** A new secret and recovery codes, shown once. They change nothing until a code confirms them. @throws Problem G404 */
export async function offerSecret(
  house: House,
  actor: StaffActor,
  userId: string,
): Promise<{ otpauthUri: string; secret: string; recoveryCodes: string[] }> {
  const secret = newTotpSecret()
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((code) => recoveryHash(house.secrets, userId, code))
  const sealed = house.secrets.seal(SECRET_PLACE, userId, secret)
  // without a stored answer: it holds the secret
  let account = ''
  await runCommand(
    house,
    { actor, audit: { action: 'twoFactorSecret', targetKind: 'user', targetId: userId } },
    async (cx) => {
      account = (await accountFor(cx.db, actor, userId)).account
      await sql`update sys_user set totp_pending = ${sealed}, recovery_pending = ${hashes}, totp_pending_at = clock_timestamp() where id = ${userId}`.execute(
        cx.db,
      )
    },
  )
  return { otpauthUri: otpauthUri(account, secret), secret, recoveryCodes }
}
