/**
 * A store of objects: by HTTP as S3 speaks it, with the bucket in the path, and a sandbox in the
 * database. What is put there is sealed and has a random name (kernel/stored-bytes.ts).
 */
import { sql } from 'kysely'
import { callForBytes, type OutboundBytes } from '#gateway/kernel/outbound-call.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { OpenConfiguration } from './routing/configurations.ts'
import { signStorageCall } from './storage-signature.ts'

export interface ObjectStore {
  put(name: string, bytes: Buffer): Promise<void>
  /** Null: there is no such object. @param most bytes that are read */
  get(name: string, most: number): Promise<Buffer | null>
  /** Its length; null: there is no such object. */
  lengthOf(name: string): Promise<number | null>
  /** Done when the store confirms that it has no such object. */
  remove(name: string): Promise<void>
}

const OK = 200
const NO_CONTENT = 204
const NO_OBJECT = 404
/** Beyond the length of the object: one that grew is named as changed, not as too long. */
const ROOM = 64 * 1024

export function httpStore(
  { vendorCode, baseUrl, timeoutMs, values }: OpenConfiguration,
  { allowPrivate }: { allowPrivate: boolean },
): ObjectStore {
  const { bucket = '', region = '', keyId = '', secret = '' } = values
  async function call(
    method: 'GET' | 'PUT' | 'HEAD' | 'DELETE',
    name: string,
    more: { body?: Buffer; mostBytes?: number } = {},
  ): Promise<OutboundBytes> {
    const url = new URL(`${baseUrl}/${bucket}/${name}`)
    const unsigned = { method, url, body: more.body ?? '' }
    return callForBytes({
      ...more,
      method,
      url: url.href,
      headers: signStorageCall({ region, keyId, secret }, unsigned, Date.now()),
      timeoutMs,
      allowPrivate,
    })
  }
  const refusal = (status: number) => new Error(`${vendorCode} answered ${status}`)
  return {
    async put(name, body) {
      const { status } = await call('PUT', name, { body })
      if (status !== OK) throw refusal(status)
    },
    async get(name, most) {
      const { status, bytes } = await call('GET', name, { mostBytes: most + ROOM })
      if (status === NO_OBJECT) return null
      if (status !== OK) throw refusal(status)
      return bytes
    },
    async lengthOf(name) {
      const { status, length } = await call('HEAD', name)
      if (status === NO_OBJECT) return null
      if (status !== OK || length === null) throw refusal(status)
      return length
    },
    async remove(name) {
      const { status } = await call('DELETE', name)
      // an object that is gone is confirmed, too; 404 means that there is no such bucket
      if (status !== OK && status !== NO_CONTENT) throw refusal(status)
    },
  }
}

/** Plays a store: demo and tests only. */
export function sandboxStore(db: Db): ObjectStore {
  async function find(name: string): Promise<Buffer | null> {
    const { rows } = await sql<{ content: Buffer }>`
      select s.content from sandbox_object s where s.id = ${name}`.execute(db)
    return rows[0]?.content ?? null
  }
  return {
    async put(name, bytes) {
      await sql`
        insert into sandbox_object (id, content) values (${name}, ${bytes})
          on conflict (id) do update set content = excluded.content`.execute(db)
    },
    get: find,
    lengthOf: async (name) => (await find(name))?.length ?? null,
    async remove(name) {
      await sql`delete from sandbox_object where id = ${name}`.execute(db)
    },
  }
}
