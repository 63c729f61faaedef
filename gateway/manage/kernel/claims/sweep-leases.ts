/** The end of leases: holders are warned before it, and claims are freed after it. */
import { sql } from 'kysely'
import { isoTime } from '../list-parts.ts'
import type { AppContext } from '../app-context.ts'
import type { CommandTx } from '../command.ts'
import { runAsSystem, type SystemWork } from '../system-command.ts'
import type { ClaimParts } from './claim-table.ts'
import { WARNING_SECONDS } from './renew-lease.ts'

/** Rows freed per transaction. */
const BATCH = 50

export interface Warning {
  /** Type of the event; it goes to the holder alone. */
  type: string
  /** Kind of the subject, and the field of the event that names it. */
  subject: string
  idField: string
  /** Who emits it. */
  name: string
}

/**
 * Once per approaching end: mark and event are one statement; a heartbeat that extends the lease
 * clears the mark.
 */
export async function warnHolders(
  context: AppContext,
  { table, leaseUntil, isOver }: ClaimParts,
  { type, subject, idField, name }: Warning,
): Promise<number> {
  const own = (column: string) => sql.ref(`${table.alias}.${column}`)
  const warned = await sql`
    with warned as (
      update ${sql.table(table.name)} ${sql.ref(table.alias)} set warned_at = clock_timestamp()
      where ${own('idle_until')} is not null and ${own('warned_at')} is null
        and ${sql.raw(leaseUntil)} <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS})
        and not ${isOver}
      returning ${own('id')}, ${own(table.holderId)} as holder_id,
        ${isoTime(leaseUntil)} as lease_until
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${type}::text, ${`${subject}:`}::text || w.id, array['user:' || w.holder_id],
      jsonb_build_object(${idField}::text, w.id, 'leaseUntil', w.lease_until), ${name}::text
    from warned w`.execute(context.database.kysely)
  const count = Number(warned.numAffectedRows ?? 0n)
  if (count > 0) context.wakeRelay()
  return count
}

/**
 * @param freeOne ends one claim whose lease is over; false when another transaction was faster
 * @returns how many were freed
 */
export async function freeExpired(
  context: AppContext,
  { table, leaseUntil, isOver }: ClaimParts,
  work: SystemWork,
  freeOne: (tx: CommandTx, id: string) => Promise<boolean>,
): Promise<number> {
  const own = (column: string) => sql.ref(`${table.alias}.${column}`)
  let freed = 0
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select ${own('id')} from ${sql.table(table.name)} ${sql.ref(table.alias)}
      where ${own('idle_until')} is not null and ${isOver}
      order by ${sql.raw(leaseUntil)}, ${own('id')} limit ${BATCH}`.execute(context.database.kysely)
    if (rows.length === 0) return freed
    const done = await runAsSystem(context, work, async (tx) => {
      let count = 0
      for (const { id } of rows) if (await freeOne(tx, id)) count += 1
      return count
    })
    freed += done
    // the remaining rows are locked by other transactions: the next sweep checks them again
    if (done < BATCH) return freed
  }
}
