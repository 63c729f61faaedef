import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { PERSON_BLACKLISTED } from './blacklist/person-blacklisted.ts'
import { checkApplication } from './check-application.ts'
import {
  type ReadyApplication,
  saveBankCard,
  saveContacts,
  saveDevice,
  saveKyc,
  savePhotos,
} from './customer-store.ts'
import { maskEmail, maskPan } from './mask.ts'
import { emitCustomer } from './emit-customer.ts'

export interface SavedCustomer {
  customerId: string
  customerName: string
  customerClass: string
  /**
   * This customer, or the same person under another phone or app: matched by phone, PAN or Aadhaar.
   */
  blacklisted: boolean
}

/**
 * Stores the customer of an application: one customer per app and phone, with the latest data. The
 * row stays locked until the command ends, which serialises applications of one person.
 * @throws Problem G-FIELD for a wrong Aadhaar check digit or a day that does not exist; O-RULE
 * (reason otherPerson) for a phone of another person
 */
export async function upsertCustomer(
  tx: CommandTx,
  input: ReadyApplication,
): Promise<SavedCustomer> {
  checkApplication(input)
  const { secrets } = tx.context
  const customerId = await lockOrInsert(tx.db, secrets, input)
  await saveContacts(tx.db, secrets, customerId, input.contacts)
  await saveBankCard(tx.db, secrets, customerId, input.bankCard)
  await saveKyc(tx.db, customerId, input.extracted, {
    pan: input.facePan,
    aadhaar: input.faceAadhaar,
  })
  await savePhotos(tx.db, secrets, customerId, input.photos ?? [])
  if (input.device) await saveDevice(tx.db, customerId, input.device)
  const { rows } = await sql<{
    name: string
    customer_class: string
    version: number
    blacklisted: boolean
  }>`
    select c.name, c.customer_class, c.version, ${PERSON_BLACKLISTED} as blacklisted
    from customer c
    where c.id = ${customerId}`.execute(tx.db)
  const saved = rows[0]
  if (!saved) throw new Error('the customer just written is missing')
  // nobody can have a new customer open, so a first application emits nothing
  if (saved.version > 1)
    emitCustomer(
      tx,
      customerId,
      saved.version,
      (['customer', 'contacts', 'bankCard', 'extracted', 'photos', 'device'] as const).filter(
        (part) => input[part] !== undefined,
      ),
    )
  return {
    customerId,
    customerName: saved.name,
    customerClass: saved.customer_class,
    blacklisted: saved.blacklisted,
  }
}

async function lockOrInsert(trx: Trx, secrets: Secrets, input: ReadyApplication): Promise<string> {
  const phoneHash = secrets.blindIndex('phone', input.customer.phone)
  const known = await lockByPhone(trx, secrets, input, phoneHash)
  if (known !== null) {
    await update(trx, secrets, known, input)
    return known
  }
  const { rows } = await sql<{
    id: string
  }>`select 'C' || nextval('customer_id_seq') as id`.execute(trx)
  const { id } = rows[0] as { id: string }
  if (await insert(trx, secrets, id, phoneHash, input)) return id
  // a concurrent application of the same person inserted the row first
  const other = await lockByPhone(trx, secrets, input, phoneHash)
  if (other === null) throw new Error('the customer of this phone vanished')
  await update(trx, secrets, other, input)
  return other
}

/**
 * Phone numbers are reassigned to other people. If both PAN and Aadhaar differ, it is another
 * person, who must not get the former owner's loans or overwrite their data. If only one differs,
 * it may be a typing error.
 * @throws Problem O-RULE (reason otherPerson)
 */
async function lockByPhone(
  trx: Trx,
  secrets: Secrets,
  { appId, customer }: ReadyApplication,
  phoneHash: Buffer,
): Promise<string | null> {
  const { rows } = await sql<{ id: string; is_other: boolean }>`
    select c.id, coalesce(c.pan_h <> ${secrets.blindIndex('pan', customer.pan)}
      and c.aadhaar_h <> ${secrets.blindIndex('aadhaar', customer.aadhaar)}, false) as is_other
    from customer c where c.app_id = ${appId} and c.phone_h = ${phoneHash} for update`.execute(trx)
  const [known] = rows
  if (known?.is_other === true) throw new Problem(ORDER_RULE, { reason: 'otherPerson' })
  return known?.id ?? null
}

async function insert(
  trx: Trx,
  secrets: Secrets,
  id: string,
  phoneHash: Buffer,
  { appId, channelId, campaign, customer }: ReadyApplication,
): Promise<boolean> {
  const inserted = await sql`
    insert into customer (id, app_id, channel_id, name, pan_name, phone_enc, phone_h, phone_last4,
      aadhaar_h, aadhaar_last4, pan_enc, pan_h, pan_masked, birthday, sex, marital_status, education,
      children_count,
      dwelling_state, profession, company_name, company_address, address_enc, city, postcode,
        monthly_income, email_enc, email_masked, language, certified, entry_count, campaign)
    values (${id}, ${appId}, ${channelId}, ${customer.name}, ${customer.panName},
      ${secrets.seal('customer.phone_enc', id, customer.phone)}, ${phoneHash}, ${customer.phone.slice(-4)},
      ${secrets.blindIndex('aadhaar', customer.aadhaar)}, ${customer.aadhaar.slice(-4)},
        ${secrets.seal('customer.pan_enc', id, customer.pan)}, ${secrets.blindIndex('pan', customer.pan)},
        ${maskPan(customer.pan)},
      ${customer.birthday}, ${customer.sex}, ${customer.maritalStatus ?? null},
        ${customer.education ?? null}, ${customer.childrenCount ?? null}, ${customer.dwellingState ?? null},
        ${customer.profession ?? null},
      ${customer.companyName ?? null}, ${customer.companyAddress ?? null},
        ${secrets.seal('customer.address_enc', id, customer.address)}, ${customer.city},
        ${customer.postcode}, ${customer.monthlyIncome},
      ${customer.email === undefined ? null : secrets.seal('customer.email_enc', id, customer.email)},
        ${customer.email === undefined ? null : maskEmail(customer.email)}, ${customer.language ?? 'en'},
        true, 1, ${campaign ?? null})
    on conflict (app_id, phone_h) do nothing`.execute(trx)
  return inserted.numAffectedRows === 1n
}

/** Omitted values stay; a customer with a settled loan counts as returning. */
async function update(
  trx: Trx,
  secrets: Secrets,
  id: string,
  { customer }: ReadyApplication,
): Promise<void> {
  const email = customer.email
  const sealedEmail = email === undefined ? null : secrets.seal('customer.email_enc', id, email)
  await sql`
    update customer
    set name = ${customer.name}, pan_name = ${customer.panName},
      aadhaar_h = ${secrets.blindIndex('aadhaar', customer.aadhaar)},
      aadhaar_last4 = ${customer.aadhaar.slice(-4)},
      pan_enc = ${secrets.seal('customer.pan_enc', id, customer.pan)},
      pan_h = ${secrets.blindIndex('pan', customer.pan)}, pan_masked = ${maskPan(customer.pan)},
      birthday = ${customer.birthday}, sex = ${customer.sex},
      marital_status = coalesce(${customer.maritalStatus ?? null}, marital_status),
      education = coalesce(${customer.education ?? null}, education),
      children_count = coalesce(${customer.childrenCount ?? null}::int, children_count),
      dwelling_state = coalesce(${customer.dwellingState ?? null}, dwelling_state),
      profession = coalesce(${customer.profession ?? null}, profession),
      company_name = coalesce(${customer.companyName ?? null}, company_name),
      company_address = coalesce(${customer.companyAddress ?? null}, company_address),
      address_enc = ${secrets.seal('customer.address_enc', id, customer.address)},
      city = ${customer.city}, postcode = ${customer.postcode},
      monthly_income = ${customer.monthlyIncome},
      email_enc = coalesce(${sealedEmail}::bytea, email_enc),
      email_masked = coalesce(${email === undefined ? null : maskEmail(email)}, email_masked),
      language = coalesce(${customer.language ?? null}, language),
      customer_class = case when settlement_count > 0 then 'old' else customer_class end,
      certified = true, entry_count = entry_count + 1,
      last_active_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
    where id = ${id}`.execute(trx)
}
