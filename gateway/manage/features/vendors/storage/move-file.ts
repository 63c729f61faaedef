/**
 * Moves the bytes of one file to the store of its app. Each step leaves a file that opens:
 *
 *     begin: the row of the object, before anything is sent   file: here
 *     send:  the object is put and read back                  file: here
 *     adopt: one transaction drops the bytes here             file: at the vendor
 *
 * An object that is not adopted is deleted at the vendor.
 */
import { sql } from 'kysely'
import { type Db, inTransaction } from '#gateway/manage/db/transaction.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  bytesHere,
  hashOf,
  type NewObject,
  sealObject,
  type StoredFile,
} from '#gateway/manage/kernel/stored-bytes.ts'
import type { ObjectStore } from '#gateway/manage/vendors/storage-stores.ts'
import type { StorageVendors } from '#gateway/manage/vendors/storage-vendors.ts'

/** Longer than any call: what was sent has arrived, or never will. */
export const WRITING_MINUTES = 10

/** The bytes here are not those that were stored; they stay where they are. */
export class NotAsStored extends Error {
  override readonly name = 'NotAsStored'
}

/**
 * @returns whether the bytes are at a vendor now; not when the file is gone, or another run moved it
 * @throws NotAsStored, or Error when no vendor of the app keeps it
 */
export async function moveFile(
  context: AppContext,
  storage: StorageVendors,
  { appId, fileId }: { appId: string; fileId: string },
): Promise<boolean> {
  const bytes = await readHere(context, fileId)
  if (bytes === null) return false
  const moved = await storage.keep({ appId, key: fileId }, async ({ cfgId, store }) => {
    const object = await beginObject(context, { cfgId, fileId }, bytes)
    try {
      await sendObject(store, object)
      return await adoptObject(context, { fileId, objectId: object.id })
    } catch (error) {
      await giveUp(context.database.kysely, object.id)
      throw error
    }
  })
  return moved?.answer ?? false
}

async function readHere({ database, secrets }: AppContext, fileId: string): Promise<Buffer | null> {
  const { rows } = await sql<StoredFile & { content: Buffer; sha256: Buffer }>`
    select o.id, o.purpose, o.content, o.sha256 from file_object o
      where o.id = ${fileId} and o.content is not null`.execute(database.kysely)
  const [file] = rows
  if (!file) return null
  let bytes: Buffer
  try {
    bytes = bytesHere(secrets, file)
  } catch (error) {
    throw new NotAsStored('the seal does not open', { cause: error })
  }
  if (!hashOf(bytes).equals(file.sha256)) throw new NotAsStored('other bytes than were stored')
  return bytes
}

/** From here on the object is known, and deleted if it is not adopted. */
export async function beginObject(
  { database, secrets }: AppContext,
  { cfgId, fileId }: { cfgId: string; fileId: string },
  bytes: Buffer,
): Promise<NewObject> {
  const object = sealObject(secrets, bytes)
  await sql`
    insert into stored_object (id, tp_cfg_id, file_id, state, data_key_enc, size, sha256)
    values (${object.id}, ${cfgId}, ${fileId}, 'writing', ${object.key}, ${object.sealed.length},
      ${object.sha256})`.execute(database.kysely)
  return object
}

/** @throws Error unless the store gives back what it took */
export async function sendObject(store: ObjectStore, object: NewObject): Promise<void> {
  await store.put(object.id, object.sealed)
  const back = await store.get(object.id, object.sealed.length)
  if (back === null || !hashOf(back).equals(object.sha256))
    throw new Error('the store does not give back what it took')
}

/** @returns false when the file was deleted or moved meanwhile */
export function adoptObject(
  { database }: Pick<AppContext, 'database'>,
  { fileId, objectId }: { fileId: string; objectId: string },
): Promise<boolean> {
  return inTransaction(database, async (trx) => {
    // the file first, as who deletes it does
    const { rows: dropped } = await sql`
      update file_object set content = null where id = ${fileId} and content is not null
        returning id`.execute(trx)
    if (dropped.length === 0) {
      await giveUp(trx, objectId)
      return false
    }
    const { rows: kept } = await sql`
      update stored_object set state = 'kept', looked_at = clock_timestamp()
        where id = ${objectId} and state = 'writing' returning id`.execute(trx)
    if (kept.length === 0) throw new Error('the object was given up meanwhile')
    return true
  })
}

/** A call that hangs may still write it: it is deleted when none can any more. */
async function giveUp(db: Db, objectId: string): Promise<void> {
  await sql`
    update stored_object set state = 'erasing', data_key_enc = null, file_id = null,
      looked_at = clock_timestamp() + make_interval(mins => ${WRITING_MINUTES})
    where id = ${objectId} and state = 'writing'`.execute(db)
}

/** Objects whose writer ended in the middle. */
export async function giveUpLost({ database }: Pick<AppContext, 'database'>): Promise<void> {
  await sql`
    update stored_object set state = 'erasing', data_key_enc = null, file_id = null,
      looked_at = clock_timestamp()
    where state = 'writing'
      and looked_at < clock_timestamp() - make_interval(mins => ${WRITING_MINUTES})`.execute(
    database.kysely,
  )
}
