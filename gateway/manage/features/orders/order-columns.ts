import { type RawBuilder, sql } from 'kysely'

/** Shown form of a phone number (api.md 0, Masking). */
export function maskedPhone(customer: string): RawBuilder<string> {
  return sql<string>`'XXXXXX' || ${sql.ref(`${customer}.phone_last4`)}`
}
