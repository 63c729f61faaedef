import { type RawBuilder, sql } from 'kysely'
import type { editContact as call } from '#shared/customers/customer-detail-api.ts'
import { isSlotForward, type NoContactSlot } from '#shared/customers/no-contact.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { customerInScope } from './customer-scope.ts'
import { maskEmail, maskPhone } from './mask.ts'
import { emitCustomer } from './emit-customer.ts'

/**
 * Corrects how and when a customer may be contacted; omitted fields stay. The log names the fields,
 * never their values.
 * @throws Problem G404, G409, G-FIELD for a phone of another customer of the app, an address without
 * city and PIN code, slots that end before they begin, and an empty change
 */
export async function editContact(
  tx: CommandTx,
  { userId, version, reason, ...given }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { secrets } = tx.context
  const { rows } = await sql<Contact>`
    select c.app_id, c.version, c.phone_last4, c.email_masked, c.city, c.postcode, c.no_contact, c.dnd
      from customer c where c.id = ${userId} and ${customerInScope(staff(tx.actor))} for update`.execute(
    tx.db,
  )
  const customer = rows[0]
  if (!customer) throw new Problem(NOT_FOUND)
  if (customer.version !== version)
    throw await changedByOther(tx.db, 'customer', userId, shown(customer))
  const fields = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  )
  if (fields.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { phone: 'required' } })
  const set: RawBuilder<unknown>[] = []
  const { phone, email, residentialAddress, city, postcode, noContact, dnd } = given
  if (phone !== undefined) {
    const hash = secrets.blindIndex('phone', phone)
    const other = await sql`
        select from customer c where c.app_id = ${customer.app_id} and c.phone_h = ${hash}
          and c.id <> ${userId}`.execute(tx.db)
    if (other.rows.length > 0)
      throw new Problem(INVALID_FIELDS, {}, { fields: { phone: 'customers:fault.phoneTaken' } })
    set.push(
      sql`
        phone_enc = ${secrets.seal('customer.phone_enc', userId, phone)}, phone_h = ${hash},
          phone_last4 = ${phone.slice(-4)}`,
    )
  }
  if (email !== undefined)
    set.push(
      sql`
        email_enc = ${secrets.seal('customer.email_enc', userId, email)}, email_masked = ${maskEmail(email)}`,
    )
  // city and PIN code are the shown part: the old ones would be shown for the new address
  const missing =
    residentialAddress === undefined
      ? []
      : Object.entries({ city, postcode }).filter(([, value]) => value === undefined)
  if (missing.length > 0)
    throw new Problem(
      INVALID_FIELDS,
      {},
      {
        fields: Object.fromEntries(
          missing.map(([name]) => [name, 'customers:fault.placeOfAddress']),
        ),
      },
    )
  if (residentialAddress !== undefined)
    set.push(sql`address_enc = ${secrets.seal('customer.address_enc', userId, residentialAddress)}`)
  if (noContact !== undefined) {
    const inverted = noContact.findIndex((slot) => !isSlotForward(slot))
    if (inverted !== -1)
      throw new Problem(
        INVALID_FIELDS,
        {},
        { fields: { [`noContact.${inverted}.to`]: 'customers:fault.slotOrder' } },
      )
    set.push(sql`no_contact = ${JSON.stringify(noContact)}::jsonb`)
  }
  if (dnd !== undefined) set.push(sql`dnd = ${dnd}`)
  if (city !== undefined) set.push(sql`city = ${city}`)
  if (postcode !== undefined) set.push(sql`postcode = ${postcode}`)
  const updated = await sql<{
    version: number
  }>`
    update customer
    set ${sql.join(set)}, updated_at = clock_timestamp(), version = version + 1
    where id = ${userId}
    returning version`.execute(tx.db)
  const { version: now } = updated.rows[0] as { version: number }
  // staff on the customer's cases work by these times
  const cases = noContact === undefined ? [] : await openCasesOf(tx, userId)
  emitCustomer(
    tx,
    userId,
    now,
    fields,
    cases.map((id) => `case:${id}`),
  )
  tx.log({
    action: 'editContact',
    targetKind: 'customer',
    targetId: userId,
    after: { fields, reason },
  })
  return { userId, version: now, fields }
}

interface Contact {
  app_id: string
  version: number
  phone_last4: string
  email_masked: string | null
  city: string | null
  postcode: string | null
  no_contact: NoContactSlot[]
  dnd: boolean
}

/**
 * The current values by form field, for a form that lost the race; of an address city and PIN code.
 */
function shown({
  version,
  phone_last4,
  email_masked,
  city,
  postcode,
  no_contact,
  dnd,
}: Contact): Record<string, unknown> {
  return {
    version,
    phone: maskPhone(phone_last4),
    email: email_masked,
    city,
    postcode,
    noContact: no_contact,
    dnd,
  }
}

async function openCasesOf(tx: CommandTx, userId: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select c.id from collection_case c where c.customer_id = ${userId} and c.ended_at is null`.execute(
    tx.db,
  )
  return rows.map(({ id }) => id)
}
