/** The customer blacklist: an entry is active until a user ends it; ended entries are kept. */
import { sql } from 'kysely'
import { ALREADY_LISTED, ENTRY_ENDED } from '#shared/customers/customers-problems.ts'
import type { BLACKLIST_SOURCES } from '#shared/customers/customer-sets.ts'
import { BLACKLIST_CHANGED } from '#shared/customers/customers-live.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { roomsOfOpenCase } from '#gateway/manage/features/collection/case-scope.ts'

export interface BlacklistEntry {
  customerId: string
  source: (typeof BLACKLIST_SOURCES)[number]
  reason: string
}

const OPEN_STATUSES = ORDER_STATUSES.filter((status) => !isOrderClosed(status))

/**
 * Blacklists a customer in the caller's transaction: new applications are refused, and approved
 * orders are not paid out.
 * @returns the entry's id
 * @throws Problem G404 for an unknown customer, L-ON when an entry is active
 */
export async function blacklistCustomer(
  tx: CommandTx,
  { customerId, source, reason }: BlacklistEntry,
): Promise<string> {
  const customer = await mark(tx, customerId, true)
  const { rows } = await sql<{ id: string }>`
    insert into blacklist (customer_id, source, reason, operator_id)
      values (${customerId}, ${source}, ${reason}, ${tx.actor.userId}) returning id`.execute(tx.db)
  const entry = rows[0] as { id: string }
  emitBlacklist(tx, customer, true, source)
  tx.log({
    action: 'blacklist',
    targetKind: 'customer',
    targetId: customerId,
    after: { blackId: entry.id, source, reason },
  })
  return entry.id
}

/** @throws Problem G404 for an unknown entry, L-END when it has ended */
export async function endEntry(tx: CommandTx, blackId: string, reason: string): Promise<void> {
  const found = await sql<{
    customer_id: string
  }>`select b.customer_id from blacklist b where b.id = ${blackId}`.execute(tx.db)
  const customerId = found.rows[0]?.customer_id
  if (customerId === undefined) throw new Problem(NOT_FOUND)
  // locks the customer first, as all commands do: entry and mark change together
  await sql`select from customer c where c.id = ${customerId} for update`.execute(tx.db)
  const { rows } = await sql<{ source: string }>`
    update blacklist set ended_at = clock_timestamp(), ended_by = ${tx.actor.userId}, end_reason = ${reason}
      where id = ${blackId} and ended_at is null returning source`.execute(tx.db)
  const entry = rows[0]
  if (!entry) throw new Problem(ENTRY_ENDED)
  emitBlacklist(tx, await mark(tx, customerId, false), false, entry.source)
  tx.log({
    action: 'blacklistEnd',
    targetKind: 'customer',
    targetId: customerId,
    before: { blackId, source: entry.source },
    after: { reason },
  })
}

interface Marked {
  id: string
  version: number
  rooms: string[]
}

/** Locks the customer and sets the blacklist mark. @throws Problem G404, L-ON */
async function mark(tx: CommandTx, customerId: string, listed: boolean): Promise<Marked> {
  const locked = await sql`select from customer c where c.id = ${customerId} for update`.execute(
    tx.db,
  )
  if (locked.rows.length === 0) throw new Problem(NOT_FOUND)
  if (listed) {
    const listed =
      await sql`select from blacklist b where b.customer_id = ${customerId} and b.ended_at is null`.execute(
        tx.db,
      )
    if (listed.rows.length > 0) throw new Problem(ALREADY_LISTED)
  }
  const marked = await sql<{ version: number; orders: string[] }>`
    update customer c set blacklisted = ${listed}, updated_at = clock_timestamp(), version = c.version + 1
      where c.id = ${customerId}
    returning c.version, array(select o.id from loan_order o where o.customer_id = c.id
      and o.status = any(${OPEN_STATUSES})) as orders`.execute(tx.db)
  const { version, orders } = marked.rows[0] as { version: number; orders: string[] }
  const cases =
    orders.length === 0
      ? []
      : (
          await sql<{
            rooms: string[]
          }>`select ${roomsOfOpenCase(sql`x.id`)} as rooms from unnest(${orders}::text[]) as x (id)`.execute(
            tx.db,
          )
        ).rows
  return {
    id: customerId,
    version,
    rooms: [...orders.map((id) => `order:${id}`), ...cases.flatMap(({ rooms }) => rooms)],
  }
}

/** Emits to viewers of the customer and of the blacklist, and to the rooms of the open orders. */
function emitBlacklist(
  tx: CommandTx,
  { id, version, rooms }: Marked,
  listed: boolean,
  source: string,
): void {
  tx.emit(BLACKLIST_CHANGED, {
    subject: `customer:${id}`,
    version,
    rooms: ['scope:all', 'menu:customer_list', `customer:${id}`, ...rooms],
    data: { userId: id, listed, source },
  })
}
