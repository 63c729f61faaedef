import { sql } from 'kysely'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export interface Contact {
  customerId: string
  /** The customer's own id for the borrower, else that of a declared contact. */
  contactId: string
  isBorrower: boolean
  relation: string
  last4: string
  /** Location of the encrypted number, bound to `contactId`. */
  place: string
  sealed: Buffer
}

/** @throws Problem G-FIELD for an id that is none of the customer's contacts */
export async function contactOf(db: Db, customerId: string, contactId: string): Promise<Contact> {
  const { rows } = await sql<{ relation: string; last4: string; sealed: Buffer }>`
    select 'self' as relation, u.phone_last4 as last4, u.phone_enc as sealed from customer u
      where u.id = ${customerId} and u.id = ${contactId}
    union all
    select k.relation, k.phone_last4, k.phone_enc from customer_contact k
      where k.customer_id = ${customerId} and k.id = ${contactId}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(INVALID_FIELDS, {}, { fields: { contactId: 'unknown' } })
  const isBorrower = contactId === customerId
  return {
    customerId,
    contactId,
    isBorrower,
    ...found,
    place: isBorrower ? 'customer.phone_enc' : 'customer_contact.phone_enc',
  }
}
