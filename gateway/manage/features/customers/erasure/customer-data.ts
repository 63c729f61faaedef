/** What customers are to this feature: names, numbers, addresses, papers. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  ERASED,
  eraseRows,
  type PersonalData,
  withFiles,
} from '#gateway/manage/kernel/personal-data.ts'

/** A listed person must be recognised when they apply again. */
export const customerData: PersonalData = {
  name: 'customers',
  isHeld: sql`exists (select from blacklist b where b.customer_id = c.id and b.ended_at is null)`,
  lastAt: sql`c.last_active_at`,
  erase,
}

function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const nothing = tx.context.secrets.seal('customer.phone_enc', id, '')
  const photos = sql<boolean>`x.customer_id = ${id}`
  return eraseRows(tx, {
    customer_photo: withFiles('customer_photo', photos),
    customer_contact: sql`delete from customer_contact where customer_id = ${id}`,
    bank_card: sql`delete from bank_card where customer_id = ${id}`,
    customer_device: sql`delete from customer_device where customer_id = ${id}`,
    customer_kyc: sql`
      update customer_kyc set extracted = '{}', updated_at = clock_timestamp()
      where customer_id = ${id}`,
    blacklist: sql`
      update blacklist set reason = ${ERASED},
        end_reason = case when end_reason is null then null else ${ERASED} end
      where customer_id = ${id}`,
    // a hash of nothing anybody can enter: the same person may register again
    customer: sql`
      update customer set name = ${ERASED}, pan_name = null, phone_enc = ${nothing},
        phone_h = ${randomBytes(32)}, phone_last4 = '', aadhaar_h = null, aadhaar_last4 = null,
        pan_enc = null, pan_h = null, pan_masked = null, birthday = null, sex = null,
        marital_status = null, education = null, children_count = null, dwelling_state = null,
        profession = null, company_name = null, company_address = null, address_enc = null,
        city = null, postcode = null, monthly_income = null, email_enc = null,
        email_masked = null, no_contact = '[]', dnd = true, updated_at = clock_timestamp(),
        version = version + 1
      where id = ${id}`,
  })
}
