/**
 * Reveals one masked field of one customer. The value is read in the command's transaction and
 * leaves only after its commit, so the operate log always has the row first; it names only the
 * field.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { REVEAL_FIELDS, revealField as call } from '#shared/customers/reveal-api.ts'
import { REVEAL_LIMIT } from '#shared/customers/customers-problems.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { customerInScope, isOfAgency, seesReviews } from './customer-scope.ts'

type Field = (typeof REVEAL_FIELDS)[number]

export const REVEALS_PER_HOUR = 30
export const SHOWN_SECONDS = 60

/** Location of the encrypted value, and the row it is bound to. */
const SEALED = {
  phone: {
    place: 'customer.phone_enc',
    read: (userId) =>
      sql`select c.id, c.phone_enc as sealed from customer c where c.id = ${userId}`,
  },
  pan: {
    place: 'customer.pan_enc',
    read: (userId) => sql`select c.id, c.pan_enc as sealed from customer c where c.id = ${userId}`,
  },
  email: {
    place: 'customer.email_enc',
    read: (userId) =>
      sql`select c.id, c.email_enc as sealed from customer c where c.id = ${userId}`,
  },
  address: {
    place: 'customer.address_enc',
    read: (userId) =>
      sql`select c.id, c.address_enc as sealed from customer c where c.id = ${userId}`,
  },
  account: {
    place: 'bank_card.account_enc',
    read: (userId) =>
      sql`select b.id, b.account_enc as sealed from bank_card b where b.customer_id = ${userId} and b.active`,
  },
  upi: {
    place: 'repay_record.upi_enc',
    read: (userId, recordId) =>
      sql`
        select r.id, r.upi_enc as sealed from repay_record r where r.customer_id = ${userId}
          and r.id = ${recordId}`,
  },
  contactPhone: {
    place: 'customer_contact.phone_enc',
    read: (userId, contactId) =>
      sql`
        select k.id, k.phone_enc as sealed from customer_contact k where k.customer_id = ${userId}
          and k.id = ${contactId}`,
  },
  transferAccount: {
    place: 'payout_transfer.account_enc',
    read: (userId, transferId) =>
      sql`
        select t.id, t.account_enc as sealed from payout_transfer t join loan_order o on o.id = t.order_id
          where o.customer_id = ${userId} and t.id = ${transferId}`,
  },
} as const satisfies Record<
  Field | 'transferAccount',
  { place: string; read: (userId: string, id: string | null) => RawBuilder<unknown> }
>

/**
 * @throws Problem G403 for a field the role may not reveal, G404 outside scope or without a value,
 * G-FIELD for a missing contact or payment, G-RATE above the hourly limit
 */
export async function revealField(
  tx: CommandTx,
  input: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  if (!mayReveal(actor, input.field)) throw new Problem(FORBIDDEN)
  if (input.field === 'contactPhone' && input.contactId === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { contactId: 'required' } })
  if (input.field === 'upi' && input.recordId === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { recordId: 'required' } })
  const visible =
    await sql`select from customer c where c.id = ${input.userId} and ${customerInScope(actor)}`.execute(
      tx.db,
    )
  if (visible.rows.length === 0) throw new Problem(NOT_FOUND)
  return { value: await openField(tx, input), shownSeconds: SHOWN_SECONDS }
}

/**
 * Reveals a field for a caller whose permission was checked: counted against the hourly limit and
 * logged with its reason.
 * @throws Problem G404 without a value, G-RATE above the hourly limit
 */
export async function openField(
  tx: CommandTx,
  {
    userId,
    field,
    contactId,
    transferId,
    recordId,
    reason,
  }: {
    userId: string
    field: Field
    contactId?: string
    transferId?: string
    recordId?: string
    reason: string
  },
): Promise<string> {
  const actor = staff(tx.actor)
  const made = await countReveals(tx.db, actor.userId)
  const { place, read } =
    SEALED[field === 'account' && transferId !== undefined ? 'transferAccount' : field]
  const { rows } = (await read(
    userId,
    (field === 'account' ? transferId : field === 'upi' ? recordId : contactId) ?? null,
  ).execute(tx.db)) as { rows: { id: string; sealed: Buffer | null }[] }
  const found = rows[0]
  if (!found?.sealed) throw new Problem(NOT_FOUND)
  const value = tx.context.secrets.open(place, found.id, found.sealed)
  tx.log({
    action: 'reveal',
    targetKind: 'customer',
    targetId: userId,
    after: {
      field,
      ...(field === 'contactPhone' ? { contactId: found.id } : {}),
      ...(field === 'account' && transferId !== undefined ? { transferId } : {}),
      ...(field === 'upi' ? { recordId: found.id } : {}),
      reason,
    },
  })
  if (made + 1 === REVEALS_PER_HOUR) await notifyManagers(tx, REVEALS_PER_HOUR)
  return value
}

/**
 * Reviewers may reveal every field they judge by. Customer service, and other holders of a reveal
 * button, may reveal phone and e-mail only; transfer screens also the account. Agencies call
 * through the dialler and reveal nothing.
 */
function mayReveal(actor: StaffActor, field: Field): boolean {
  if (isOfAgency(actor)) return false
  return (
    seesReviews(actor) ||
    field === 'phone' ||
    field === 'email' ||
    (field === 'account' && actor.rights.permissions.has('loan_list:reveal'))
  )
}

/**
 * Counts the reveals of the last hour; the lock serialises concurrent calls of one person.
 * @throws Problem G-RATE at the limit
 */
async function countReveals(trx: Trx, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(7004, hashtext(${userId}))`.execute(trx)
  const { rows } = await sql<{ made: number; wait: number }>`
    select count(*)::int as made, coalesce(ceil(extract(epoch
      from min(l.time) + interval '1 hour' - clock_timestamp())), 0)::int as wait
    from (
      select l.time from operate_log l
      where l.user_id = ${userId} and l.time > clock_timestamp() - interval '1 hour' and l.action = 'reveal'
        and l.result = 'ok'
      order by l.time desc limit ${REVEALS_PER_HOUR}
    ) l`.execute(trx)
  const { made, wait } = rows[0] as { made: number; wait: number }
  if (made >= REVEALS_PER_HOUR) throw new Problem(REVEAL_LIMIT, { s: Math.max(1, wait) })
  return made
}

/** Notifies managers: this many reveals in an hour are suspicious. */
export async function notifyManagers(tx: CommandTx, n: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role g on g.id = u.role_id
    where g.unique_mark = 'manager' and u.status = 'enabled' and u.id is distinct from ${tx.actor.userId}`.execute(
    tx.db,
  )
  for (const { id } of rows)
    tx.notify({
      userId: id,
      kind: 'system',
      titleKey: 'customers:notification.revealLimit',
      params: { userName: tx.actor.userName, n },
      route: '/home_page',
    })
}
