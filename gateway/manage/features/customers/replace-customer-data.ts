import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundResubmit } from '#shared/orders/inbound-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  saveBankCard,
  saveContacts,
  saveKyc,
  savePhotos,
  type WithReadyPhotos,
} from './customer-store.ts'
import { maskAddressText } from './mask.ts'
import { emitCustomer } from './emit-customer.ts'

/** Parts that a customer may send again; omitted parts stay. */
export type Resubmission = WithReadyPhotos<Omit<InputOf<typeof inboundResubmit>, 'reviewId'>>

export async function replaceCustomerData(
  tx: CommandTx,
  customerId: string,
  input: Resubmission,
): Promise<void> {
  const { secrets } = tx.context
  // serialises writers of a customer: there is one active card and three contacts
  await sql`select from customer c where c.id = ${customerId} for update`.execute(tx.db)
  const { address } = input
  if (address !== undefined) {
    const { city, postcode } = placeOf(address)
    await sql`
      update customer set address_enc = ${secrets.seal('customer.address_enc', customerId, address)},
        city = coalesce(${city}, city), postcode = coalesce(${postcode}, postcode)
      where id = ${customerId}`.execute(tx.db)
  }
  if (input.contacts) await saveContacts(tx.db, secrets, customerId, input.contacts)
  if (input.bankCard) await saveBankCard(tx.db, secrets, customerId, input.bankCard)
  if (input.extracted) await saveKyc(tx.db, customerId, input.extracted)
  await savePhotos(tx.db, secrets, customerId, input.photos ?? [])
  const { rows } = await sql<{
    version: number
  }>`
    update customer
    set last_active_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
    where id = ${customerId}
    returning version`.execute(tx.db)
  for (const { version } of rows)
    emitCustomer(
      tx,
      customerId,
      version,
      Object.entries(input).flatMap(([part, value]) => (value === undefined ? [] : [part])),
    )
}

/** City and PIN code are taken from the address; an address without them keeps the former ones. */
function placeOf(address: string): { city: string | null; postcode: string | null } {
  const shown = maskAddressText(address) ?? ''
  const postcode = /[1-9]\d{5}$/.exec(shown)?.[0] ?? null
  if (postcode === null) return { city: null, postcode: null }
  return { city: shown.slice(0, -postcode.length).trim() || null, postcode }
}
