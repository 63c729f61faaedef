/**
 * A core proves at its start that it has the keys of its book. The first start writes a check value
 * for the master key, and for each key when it first seals; a core that cannot open one of them
 * ends before it writes a value that nobody else can read.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { type Db, inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import type { InvariantResult } from '#gateway/manage/db/invariant.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { Secrets } from './secrets.ts'

const MASTER = 1
const PLACE = 'book_key.proof'

/** One line for the person who starts the console. */
export class KeysRefused extends Error {
  override readonly name = 'KeysRefused'
  readonly code = 'KEYS_REFUSED'
}

interface BookKey {
  key_id: number
  fingerprint: string
  proof: Buffer
}

/** Whether a new master key would make what is sealed unreadable. */
export async function holdsRows(database: Database): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    select exists (select from book_key) or exists (select from sys_user) as holds`.execute(
    database.kysely,
  )
  return rows[0]?.holds ?? false
}

/**
 * Proves every key in use.
 * @param columns where values are sealed; asked when the book has no proof yet
 * @throws KeysRefused when a key is missing or another one
 */
export async function proveKeys(
  database: Database,
  secrets: Secrets,
  columns: readonly SealedColumn[],
): Promise<void> {
  const known = await keysInUse(database.kysely)
  for (const key of known) if (!opens(secrets, key)) throw refusal(secrets, key)
  if (known.length === 0) await openOneOfEach(database.kysely, secrets, columns)
}

/**
 * Every core needs the master key and the key that seals now from here on; so this follows the
 * agreement with the other cores, which a core that is refused must not change.
 */
export async function rememberKeys(database: Database, secrets: Secrets): Promise<void> {
  await inTransaction(database, async (trx) => {
    await sql`lock table book_key in exclusive mode`.execute(trx)
    const known = await keysInUse(trx)
    for (const keyId of new Set([MASTER, secrets.sealKeyId]))
      if (!known.some(({ key_id }) => key_id === keyId)) await remember(trx, secrets, keyId)
  })
}

/** Numbers of keys in use that these secrets do not have. */
export async function missingKeys(database: Database, secrets: Secrets): Promise<number[]> {
  const known = await keysInUse(database.kysely)
  return known.filter((key) => !opens(secrets, key)).map(({ key_id }) => key_id)
}

/** The rule of `check:invariants`, for a book that a console has worked on. */
export async function checkKeys(database: Database, secrets: Secrets): Promise<InvariantResult> {
  const known = await keysInUse(database.kysely)
  const isProven = known.some(({ key_id }) => key_id === MASTER)
  const missing = isProven ? await missingKeys(database, secrets) : [MASTER]
  return {
    code: 'K01',
    name: 'the keys here open the check value of every key in use',
    violations: missing.length,
    sample: missing.map((keyId) => `key ${keyId}`),
  }
}

/** Earlier seal keys are not asked for any more, when no running core seals with them. */
export async function retireEarlierKeys(db: Db, sealKeyId: number): Promise<void> {
  await sql`
    update book_key set retired_at = clock_timestamp()
    where key_id not in (${MASTER}, ${sealKeyId})
      and retired_at is null
      and not exists (select from running_core c where c.seal_with = book_key.key_id
        and c.seen_at > clock_timestamp() - interval '15 seconds')`.execute(db)
}

async function keysInUse(db: Db): Promise<BookKey[]> {
  const { rows } = await sql<BookKey>`
    select k.key_id, k.fingerprint, k.proof
    from book_key k
    where k.retired_at is null
    order by k.key_id`.execute(db)
  return rows
}

function opens(secrets: Secrets, { key_id, fingerprint, proof }: BookKey): boolean {
  try {
    return secrets.open(PLACE, String(key_id), proof) === fingerprint
  } catch {
    return false
  }
}

function refusal(secrets: Secrets, { key_id, fingerprint }: BookKey): KeysRefused {
  const own = secrets.keys.find(({ id }) => id === key_id)
  if (key_id === MASTER)
    return new KeysRefused(
      `the field key does not open this book (its fingerprint is ${own?.fingerprint ?? 'unknown'}, ` +
        `the book's ${fingerprint}). Set the FIELD_KEY of this book, or put its field.key back ` +
        'into DATA_DIR.',
    )
  return new KeysRefused(
    `seal key ${key_id} of this book (fingerprint ${fingerprint}) is ` +
      `${own ? 'another one here' : 'missing'}. Add it to SEAL_KEYS, or put seal.keys back into DATA_DIR.`,
  )
}

/** A book from before there were proofs: one value of each sealed column must open. */
async function openOneOfEach(
  db: Db,
  secrets: Secrets,
  columns: readonly SealedColumn[],
): Promise<void> {
  for (const { place, table, column, only = 'true' } of columns) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select x.id, x.${sql.ref(column)} as sealed
      from ${sql.table(table)} x
      where x.${sql.ref(column)} is not null and ${sql.raw(only)}
      limit 1`.execute(db)
    const row = rows[0]
    if (!row) continue
    try {
      secrets.open(place, row.id, row.sealed)
    } catch {
      throw new KeysRefused(
        `the keys given do not open what this book has sealed (${place}). Set the FIELD_KEY and ` +
          'SEAL_KEYS of this book, or put field.key and seal.keys back into DATA_DIR.',
      )
    }
  }
}

async function remember(trx: Trx, secrets: Secrets, keyId: number): Promise<void> {
  const fingerprint = secrets.keys.find(({ id }) => id === keyId)?.fingerprint ?? ''
  const proof = secrets.sealWith(keyId, PLACE, String(keyId), fingerprint)
  await sql`
    insert into book_key (key_id, fingerprint, proof)
      values (${keyId}, ${fingerprint}, ${proof})
      on conflict (key_id) do update set fingerprint = excluded.fingerprint, proof = excluded.proof,
        retired_at = null`.execute(trx)
}
