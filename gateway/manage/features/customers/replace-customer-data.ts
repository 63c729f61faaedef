import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundResubmit } from '#shared/orders/inbound-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import {
  saveBankCard,
  saveContacts,
  saveKyc,
  savePhotos,
  type WithReadyPhotos,
} from './customer-store.ts'
import { maskAddressText } from './mask.ts'
import { tellCustomer } from './tell-customer.ts'

/** The parts a customer may send again (api.md 24); what is absent stays. */
export type Resubmission = WithReadyPhotos<Omit<InputOf<typeof inboundResubmit>, 'reviewId'>>

export async function replaceCustomerData(
  cx: Cx,
  customerId: string,
  input: Resubmission,
): Promise<void> {
  const { secrets } = cx.house
  // one active card and three contacts: writers of a customer come one after the other
  await sql`select from customer c where c.id = ${customerId} for update`.execute(cx.db)
  const { address } = input
  if (address !== undefined) {
    const { city, postcode } = placeOf(address)
    await sql`
      update customer set address_enc = ${secrets.seal('customer.address_enc', customerId, address)}, city = coalesce(${city}, city), postcode = coalesce(${postcode}, postcode)
      where id = ${customerId}`.execute(cx.db)
  }
  if (input.contacts) await saveContacts(cx.db, secrets, customerId, input.contacts)
  if (input.bankCard) await saveBankCard(cx.db, secrets, customerId, input.bankCard)
  if (input.extracted) await saveKyc(cx.db, customerId, input.extracted)
  await savePhotos(cx.db, secrets, customerId, input.photos ?? [])
  const { rows } = await sql<{
    version: number
  }>`update customer set last_active_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1 where id = ${customerId} returning version`.execute(
    cx.db,
  )
  for (const { version } of rows)
    tellCustomer(
      cx,
      customerId,
      version,
      Object.entries(input).flatMap(([part, value]) => (value === undefined ? [] : [part])),
    )
}

/** The shown city and PIN code must follow the address; an address without them keeps the former. */
function placeOf(address: string): { city: string | null; postcode: string | null } {
  const shown = maskAddressText(address) ?? ''
  const postcode = /[1-9]\d{5}$/.exec(shown)?.[0] ?? null
  if (postcode === null) return { city: null, postcode: null }
  return { city: shown.slice(0, -postcode.length).trim() || null, postcode }
}
