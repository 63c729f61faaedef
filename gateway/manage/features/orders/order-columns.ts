import { type RawBuilder, sql } from 'kysely'

/** Masked display form of a phone number. */
export function maskedPhone(customer: string): RawBuilder<string> {
  return sql<string>`'XXXXXX' || ${sql.ref(`${customer}.phone_last4`)}`
}
