/**
 * Claims: one person at a time works on a row, and loses it when they stop. A claim has a lease of
 * two clocks (`idle_until` moves with input, `live_until` with the heartbeats of a visible tab; it
 * ends with the earlier one) and a fencing `token` that grows by one whenever the holder changes, to
 * a person or to nobody. A feature names its table and columns and gets the statements' parts;
 * states, logs, events and refusals stay in the feature.
 *
 * Needs the columns `token`, `claimed_at`, `idle_until`, `live_until`, `warned_at`.
 */
import { type RawBuilder, sql } from 'kysely'
import { intParameter } from '../parameters.ts'
import type { CommandTx } from '../command.ts'

export interface ClaimTable {
  name: string
  /** Alias of the table in every statement of the feature. */
  alias: string
  /** Columns of the holder. */
  holderId: string
  holderName: string
  /** Parameters: minutes without input, seconds without a heartbeat. */
  idleMinutes: string
  liveSeconds: string
  /** First key of the advisory locks that serialise the claims of one person. */
  capacityLock: number
}

export interface ClaimParts {
  table: ClaimTable
  /** The end of the lease; null without one. */
  leaseUntil: string
  /** The lease is running; null without one. */
  isHeld: RawBuilder<boolean>
  /** The lease has ended, and the sweep has not freed the row yet; null without one. */
  isOver: RawBuilder<boolean>
  /** Assignments. */
  newLease: RawBuilder<unknown>
  noLease: RawBuilder<unknown>
  noHolder: RawBuilder<unknown>
  newHolder: (person: Person, lease?: RawBuilder<unknown>) => RawBuilder<unknown>
}

interface Person {
  userId: string | null
  userName: string | null
}

/** How long a claim lasts after the last input, and after the last heartbeat. */
export function intervalsOf(table: ClaimTable): {
  idle: RawBuilder<unknown>
  live: RawBuilder<unknown>
} {
  return {
    idle: sql`make_interval(mins => ${intParameter(table.idleMinutes)})`,
    live: sql`make_interval(secs => ${intParameter(table.liveSeconds)})`,
  }
}

export function claimParts(table: ClaimTable): ClaimParts {
  const { alias } = table
  const leaseUntil = `least(${alias}.idle_until, ${alias}.live_until)`
  const after = intervalsOf(table)
  const token = sql.ref(`${alias}.token`)
  const holderId = sql.ref(table.holderId)
  const holderName = sql.ref(table.holderName)
  const newLease = sql`
    idle_until = clock_timestamp() + ${after.idle},
    live_until = clock_timestamp() + ${after.live}, warned_at = null`
  const noLease = sql`idle_until = null, live_until = null, warned_at = null`
  return {
    table,
    leaseUntil,
    isHeld: sql<boolean>`(${sql.raw(leaseUntil)} > clock_timestamp())`,
    isOver: sql<boolean>`(${sql.raw(leaseUntil)} <= clock_timestamp())`,
    newLease,
    noLease,
    noHolder: sql`${holderId} = null, ${holderName} = null, token = ${token} + 1, ${noLease}`,
    newHolder: ({ userId, userName }, lease = newLease) => sql`
      ${holderId} = ${userId}, ${holderName} = ${userName}, token = ${token} + 1,
      claimed_at = clock_timestamp(), ${lease}`,
  }
}

/**
 * Held until the commit by every command that counts the claims of a person, so that two tabs, a
 * leader and a distribution together cannot exceed the capacity.
 */
export async function lockCapacity(
  tx: CommandTx,
  { capacityLock }: ClaimTable,
  userId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${capacityLock}, hashtext(${userId}))`.execute(tx.db)
}

/** Whether `u` with the role `g` accepts new work. */
export const ON_DUTY = sql<boolean>`
  (u.allocation_flag and u.status in ('enabled', 'normal') and g.status = 'enabled')`
