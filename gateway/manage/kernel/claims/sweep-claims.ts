/** What ends by itself in a queue whose items are claimed and handed over. */
import { sql } from 'kysely'
import type { AppContext } from '../app-context.ts'
import type { CommandTx } from '../command.ts'
import { runAsSystem, type SystemWork } from '../system-command.ts'
import type { ClaimParts } from './claim-table.ts'
import { freeExpired, type Warning, warnHolders } from './sweep-leases.ts'

/** Hand-overs ended per sweep; the next one ends the others. */
const MOST_HANDOVERS = 500

export interface Sweep {
  work: SystemWork
  warning: Warning
  /** Ends one claim whose lease is over; false when another transaction was faster. */
  freeOne: (tx: CommandTx, id: string) => Promise<boolean>
  handovers: {
    table: string
    /** Column that names the item handed over. */
    itemId: string
    /** Ends one that was not decided in time; false when another transaction was faster. */
    endOne: (tx: CommandTx, handoverId: string, itemId: string) => Promise<boolean>
  }
}

/** What a sweep did, as the row of its run counts it. */
export interface Swept {
  warned: number
  released: number
  handoversEnded: number
}

/**
 * Warns holders before their lease ends, frees expired claims, ends hand-overs that were not decided.
 */
export async function sweepClaims(
  context: AppContext,
  claims: ClaimParts,
  { work, warning, freeOne, handovers }: Sweep,
): Promise<Swept> {
  const warned = await warnHolders(context, claims, warning)
  const released = await freeExpired(context, claims, work, freeOne)
  const handoversEnded = await endHandovers(context, work, handovers)
  return { warned, released, handoversEnded }
}

async function endHandovers(
  context: AppContext,
  work: SystemWork,
  { table, itemId, endOne }: Sweep['handovers'],
): Promise<number> {
  const { rows } = await sql<{ id: string; item: string }>`
    select h.id, ${sql.ref(`h.${itemId}`)} as item from ${sql.table(table)} h
    where h.state = 'pending' and h.expires_at <= clock_timestamp()
    order by h.expires_at limit ${MOST_HANDOVERS}`.execute(context.database.kysely)
  let ended = 0
  for (const { id, item } of rows)
    if (await runAsSystem(context, work, (tx) => endOne(tx, id, item))) ended += 1
  return ended
}
