/**
 * HEARTBEAT of a visible tab, every 30 s. It changes no business row, so it needs no transaction,
 * version or event. Every heartbeat extends `live_until`; only newer input extends `idle_until` (the
 * last known input is `idle_until` less the idle time). Client times later than now count as now, so
 * a wrong client clock cannot extend the idle time without end.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type ClaimParts, intervalsOf } from './claim-table.ts'

/** Holders are warned this long before the end, when the countdown turns red. */
export const WARNING_SECONDS = 60

export interface Heartbeat {
  id: string
  userId: string
  token: number
  /** ISO 8601 UTC, by the client's idea of the server's clock. */
  lastInputTime: string
}

export interface RenewRules {
  /** The claim stands; by default while its lease runs. */
  stands?: RawBuilder<boolean>
  /** It has a lease to renew; by default always. Without one the answer has no times. */
  isLeased?: RawBuilder<boolean>
}

/** @returns null when the caller does not hold the claim with this token */
export async function renewLease<Lease>(
  db: Db,
  { table, leaseUntil, isHeld }: ClaimParts,
  { id, userId, token, lastInputTime }: Heartbeat,
  { stands = isHeld, isLeased = sql<boolean>`true` }: RenewRules = {},
): Promise<Lease | null> {
  const own = (column: string) => sql.ref(`${table.alias}.${column}`)
  const from = sql`${sql.table(table.name)} ${sql.ref(table.alias)}`
  const after = intervalsOf(table)
  const { rows } = await sql<Lease>`
    with held as (
      select ${own('id')}, ${isLeased} as is_leased,
        clock_timestamp() + ${after.live} as live_until,
        greatest(${own('idle_until')},
          least(${lastInputTime}::timestamptz, clock_timestamp()) + ${after.idle}) as idle_until
      from ${from}
      where ${own('id')} = ${id} and ${own(table.holderId)} = ${userId} and ${own('token')} = ${token}
        and ${stands}
      for update of ${sql.ref(table.alias)}
    ), renewed as (
      update ${from} set live_until = c.live_until, idle_until = c.idle_until,
        warned_at = case
          when least(c.live_until, c.idle_until)
            <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS})
          then ${own('warned_at')} end
      from held c where ${own('id')} = c.id and c.is_leased
      returning ${own('id')}, ${sql.raw(leaseUntil)} as lease_until, ${own('idle_until')},
        ${own('live_until')}
    )
    select w.lease_until as "leaseUntil", w.idle_until as "idleUntil", w.live_until as "liveUntil"
      from held c left join renewed w on w.id = c.id`.execute(db)
  return rows[0] ?? null
}
