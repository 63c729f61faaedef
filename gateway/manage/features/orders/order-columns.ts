import { type RawBuilder, sql } from 'kysely'

/** A timestamp inside JSON built by the database, in the same form as every other answer: ISO 8601 UTC, milliseconds cut. */
export function utcText(column: string): RawBuilder<string | null> {
  return sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Shown form of a phone number (api.md 0, Masking). */
export function maskedPhone(customer: string): RawBuilder<string> {
  return sql<string>`'XXXXXX' || ${sql.ref(`${customer}.phone_last4`)}`
}
