/**
 * The lock after failed logins is keyed by the text of the account (see `failed-logins.ts`); user
 * administration shows and removes it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Until when an account cannot log in; null when it can.
 * @param column a trusted column expression with the account
 */
export function lockedUntil(column: string): RawBuilder<string | null> {
  return sql<string | null>`(
    select case when count(*) >= (select c.value::int from sys_config c where c.code = 'login.maxFails') then
      to_char((max(f.at) + p.span) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
    from (select make_interval(mins => c.value::int) as span from sys_config c
      where c.code = 'login.freezeMinutes') p
      join login_failure f on f.account_hash = sha256(convert_to(lower(${sql.ref(column)}), 'UTF8'))
        and f.at > clock_timestamp() - p.span
    group by p.span)`
}

export async function unlockAccount(tx: CommandTx, account: string): Promise<void> {
  // failed codes and failed old passwords are keyed by the account's id (failed-logins.ts)
  await sql`
    delete from login_failure f
    where f.account_hash = sha256(convert_to(lower(${account}), 'UTF8'))
      or f.account_hash in (select sha256(convert_to(k.kind || chr(10) || u.id, 'UTF8')) from sys_user u
        cross join (values ('code'), ('password')) k (kind) where lower(u.account) = lower(${account}))`.execute(
    tx.db,
  )
}
