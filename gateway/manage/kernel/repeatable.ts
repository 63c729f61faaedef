/**
 * Memory of requests that may come again: the answer of the first run is kept in its own
 * transaction, so the effect and the memory of it are one. A key that is taken stops the statement
 * that keeps it: the second run is rolled back, whatever it did.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from './actor.ts'
import type { AppContext } from './app-context.ts'
import type { Secrets } from './secrets.ts'

export interface StoredAnswer {
  /** False when the first run's request was another one under the same key. */
  isSame: boolean
  answer: string
}

export interface Repeatable {
  /** Reads the first run's answer, as it is stored. */
  find: RawBuilder<StoredAnswer>
  /** The answer of what `find` read. */
  open(stored: string): string
  /** An insert of the answer, without a clause for a taken key. */
  keep(answer: string): RawBuilder<unknown>
  /** Whether a refusal is an answer too; else the request may be sent again. */
  keepsRefusals: boolean
}

export interface Keyed {
  route: string
  key: string
  /** The validated input; cache-busting parameters are not part of it. */
  input: unknown
}

/**
 * A person's request under the key the browser gave it. The same key of somebody else is another
 * key.
 */
export function keyed(
  { secrets }: Pick<AppContext, 'secrets'>,
  actor: Actor,
  { route, key, input }: Keyed,
): Repeatable {
  const owner = actor.userId ?? actor.userName
  // a keyed hash: an input may hold a password, which a plain one would let somebody with the table
  // guess
  const hash = secrets.blindIndex('request', JSON.stringify(input, sortedKeys))
  const seal = answerSeal(secrets, 'idempotency_key.response', `${owner} ${route} ${key}`)
  return {
    find: sql<StoredAnswer>`
      select k.request_hash = ${hash} as "isSame", k.response as answer from idempotency_key k
        where k.user_id = ${owner} and k.route = ${route} and k.key = ${key}`,
    keep: (answer) =>
      sql`
        insert into idempotency_key (user_id, route, key, request_hash, response)
          values (${owner}, ${route}, ${key}, ${hash}, ${seal.close(answer)})`,
    open: seal.open,
    keepsRefusals: true,
  }
}

/**
 * An answer may hold what a person was shown, so it is stored sealed. The master key does it: seal
 * keys come and go within the days an answer is kept.
 */
export function answerSeal(
  secrets: Secrets,
  place: string,
  rowId: string,
): { close(answer: string): string; open(stored: string): string } {
  return {
    close: (answer) => secrets.sealWith(1, place, rowId, answer).toString('base64'),
    // one that was kept before answers were sealed is the JSON itself
    open: (stored) =>
      stored === '' || stored.startsWith('{')
        ? stored
        : secrets.open(place, rowId, Buffer.from(stored, 'base64')),
  }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
