/**
 * The bytes of a file, in the database or at the storage vendor of its app.
 *
 *     file_object.content --moved--> stored_object: AES-256-GCM with a key of its own
 *     the key: data_key_enc, sealed like every other secret
 *
 * A vendor has only ciphertext under a random name. Deleting the row of a file deletes its key, so that
 * a copy left at the vendor cannot be decrypted; a new seal key re-encrypts the keys, not the bytes.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { FILE_AWAY, FILE_DAMAGED, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { AppContext, ObjectPlace } from './app-context.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { Secrets } from './secrets.ts'

export const CONTENT_PLACE = 'file_object.content'
/** Keys of objects at vendors, for the list of sealed columns. */
export const OBJECT_KEYS: SealedColumn = {
  place: 'stored_object.data_key_enc',
  table: 'stored_object',
  column: 'data_key_enc',
}
/** Pictures drawn for the demo, and logos, are not encrypted. */
const OPEN_PURPOSES: ReadonlySet<string> = new Set(['synthetic', 'logo'])
const IV = 12
const TAG = 16

/** A row of `file_object`; `content` null: its bytes are at a vendor. */
export interface StoredFile {
  id: string
  purpose: string
  content: Buffer | null
}

/** The bytes of a file in the database. @throws Error when they were changed */
export function bytesHere(
  secrets: Secrets,
  { id, purpose, content }: StoredFile & { content: Buffer },
): Buffer {
  return OPEN_PURPOSES.has(purpose)
    ? content
    : Buffer.from(secrets.open(CONTENT_PLACE, id, content), 'base64')
}

/**
 * The bytes of a file, wherever they are. Waits for a vendor, so it is called after a transaction.
 * @throws Problem G-AWAY when the vendor cannot be reached, G-LOST when it no longer has them or has
 * different ones, G404 when the file was deleted meanwhile
 */
export async function fileBytes(
  context: Pick<AppContext, 'database' | 'secrets' | 'log' | 'fetchObject'>,
  { id, purpose, content }: StoredFile,
): Promise<Buffer> {
  const { secrets, log } = context
  if (content !== null) return bytesHere(secrets, { id, purpose, content })
  const { rows } = await sql<ObjectPlace & { key: Buffer; there: Buffer; sha256: Buffer }>`
    select s.id, s.tp_cfg_id as "cfgId", s.size, s.data_key_enc as key, s.sha256 as there, o.sha256
    from stored_object s join file_object o on o.id = s.file_id
    where s.file_id = ${id} and s.state = 'kept'`.execute(context.database.kysely)
  const [object] = rows
  if (!object) throw new Problem(NOT_FOUND)
  const found = await context.fetchObject(object).catch((error: unknown) => {
    log.warn({ err: error, fileId: id, cfgId: object.cfgId }, 'a file could not be fetched')
    throw new Problem(FILE_AWAY)
  })
  const bytes =
    found !== null && hashOf(found).equals(object.there)
      ? openObject(object.id, openKey(secrets, object.id, object.key), found)
      : null
  if (bytes !== null && hashOf(bytes).equals(object.sha256)) return bytes
  const fault = found === null ? 'missing' : 'damaged'
  log.error({ fileId: id, objectId: object.id, cfgId: object.cfgId, fault }, 'a file is lost')
  await noteFault(context, object.id, fault)
  throw new Problem(FILE_DAMAGED)
}

/** What the last check of an object found; null: it is there. */
export async function noteFault(
  { database }: Pick<AppContext, 'database'>,
  objectId: string,
  fault: 'missing' | 'damaged' | null,
): Promise<void> {
  await sql`
    update stored_object set fault = ${fault}, looked_at = clock_timestamp()
      where id = ${objectId} and state = 'kept'`.execute(database.kysely)
}

export interface NewObject {
  id: string
  /** Sealed, for the row. */
  key: Buffer
  /** For the vendor. */
  sealed: Buffer
  sha256: Buffer
}

/** Encrypts bytes for a vendor, with a key of their own. */
export function sealObject(secrets: Secrets, bytes: Buffer): NewObject {
  const id = randomBytes(16).toString('hex')
  const key = randomBytes(32)
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(id))
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), text])
  return {
    id,
    key: secrets.seal(OBJECT_KEYS.place, id, key.toString('base64')),
    sealed,
    sha256: hashOf(sealed),
  }
}

function openKey(secrets: Secrets, id: string, key: Buffer): Buffer {
  return Buffer.from(secrets.open(OBJECT_KEYS.place, id, key), 'base64')
}

/** @throws Error when the bytes do not belong to this object */
function openObject(id: string, key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV))
  decipher.setAAD(Buffer.from(id))
  decipher.setAuthTag(sealed.subarray(IV, IV + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()])
}

export function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
