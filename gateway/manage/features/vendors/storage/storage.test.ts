/** Files at the store of their app: moved, read, erased, looked for; over HTTP, as S3 speaks it. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import * as api from '#shared/vendors/vendors-api.ts'
import { checkRule } from '#gateway/manage/db/check-invariants.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { savePhotos } from '#gateway/manage/features/customers/customer-store.ts'
import { withFiles } from '#gateway/manage/kernel/personal-data.ts'
import { nextSealKey, parseSealKeys } from '#gateway/manage/kernel/seal-keys.ts'
import { resealAll } from '#gateway/manage/kernel/reseal-job.ts'
import { secretsOf } from '#gateway/manage/kernel/secrets.ts'
import { fileBytes, OBJECT_KEYS } from '#gateway/manage/kernel/stored-bytes.ts'
import { signStorageCall } from '#gateway/manage/vendors/storage-signature.ts'
import { storageVendorsOf } from '#gateway/manage/vendors/storage-vendors.ts'
import { PNG } from '#tests/factories/files.ts'
import { makeBorrower } from '#tests/factories/orders.ts'
import { expectPainted } from '#tests/factories/pictures.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { beginObject, sendObject } from './move-file.ts'

const KEYS = { region: 'ap-south-1', keyId: 'AKTEST', secret: 'the-secret-of-the-store' }

let floor: Floor
let admin: Person
let server: Server
/** What is at the vendors, by path. */
const objects = new Map<string, Buffer>()
/** Paths that begin with one of these are refused. */
const down = new Set<string>()

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { status, bytes } = answer(request, body)
      response.writeHead(status, { 'content-length': bytes.length })
      response.end(request.method === 'HEAD' ? undefined : bytes)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  floor = await testManage()
  admin = await floor.signIn('administrator')
  await makeBorrower(floor)
  await sql`insert into app (id, code, name) values ('A2', 'second', 'Second')`.execute(
    floor.database.kysely,
  )
  await serve('first', 1)
  await serve('second', 2)
})
afterAll(async () => {
  await floor.close()
  server.close()
})
beforeEach(async () => {
  down.clear()
  const { kysely } = floor.database
  await sql`delete from tp_attempt`.execute(kysely)
  await sql`update tp_health set state = 'closed', trips = 0, trial_at = null`.execute(kysely)
})

/** A store that knows the secret. */
function answer(request: IncomingMessage, body: Buffer): { status: number; bytes: Buffer } {
  const { method = '', url = '', headers } = request
  const none = Buffer.alloc(0)
  const time = String(headers['x-amz-date'])
  const now = Date.parse(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  const signed = signStorageCall(
    KEYS,
    { method, url: new URL(url, `http://${headers.host}`), body },
    now,
  )
  if (signed.authorization !== headers.authorization) return { status: 403, bytes: none }
  if ([...down].some((path) => url.startsWith(path))) return { status: 503, bytes: none }
  const bytes = objects.get(url)
  if (method === 'PUT') objects.set(url, body)
  else if (method === 'DELETE') objects.delete(url)
  else if (bytes === undefined) return { status: 404, bytes: none }
  return {
    status: method === 'DELETE' ? 204 : 200,
    bytes: method === 'PUT' ? none : (bytes ?? none),
  }
}

function address(name: string): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`
}

async function serve(name: string, priority: number): Promise<void> {
  const { thirdPartyId } = await admin.call(api.addThirdParty, {
    code: name,
    name,
    kind: 'storage',
  })
  const { cfgId } = await admin.call(api.addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl: address(name),
    values: { bucket: 'lender-files', ...KEYS },
  })
  await admin.call(api.addService, { appId: 'A1', thirdPartyId, cfgId, priority })
}

const run = (name: string): Promise<RunCounts> => {
  const found = floor.manage.parts.schedules.find((one) => one.name === name)
  if (!found) throw new Error(`no class ${name}`)
  return found.run(floor.context)
}

/** A borrower with one photo. */
async function makePhoto(appId = 'A1'): Promise<{ fileId: string; photoId: string }> {
  const { kysely } = floor.database
  const { customerId } = await makeBorrower(floor)
  await sql`update customer set app_id = ${appId} where id = ${customerId}`.execute(kysely)
  await inTransaction(floor.database, (trx) =>
    savePhotos(trx, floor.context.secrets, customerId, [
      { kind: 'pan', picture: { bytes: PNG, kind: 'png' } },
    ]),
  )
  const { rows } = await sql<{ fileId: string; photoId: string }>`
    select p.file_id as "fileId", p.id as "photoId" from customer_photo p
      where p.customer_id = ${customerId}`.execute(kysely)
  return rows[0] as { fileId: string; photoId: string }
}

async function rowOf(fileId: string) {
  const { rows } = await sql<{
    here: boolean
    objectId: string | null
    vendor: string | null
    fault: string | null
  }>`
    select o.content is not null as here, s.id as "objectId", v.code as vendor, s.fault
    from file_object o left join stored_object s on s.file_id = o.id and s.state = 'kept'
    left join tp_cfg c on c.id = s.tp_cfg_id left join tp_vendor v on v.id = c.vendor_id
    where o.id = ${fileId}`.execute(floor.database.kysely)
  return rows[0]
}

async function open(fileId: string, context = floor.context): Promise<Buffer> {
  const { rows } = await sql<{ id: string; purpose: string; content: Buffer | null }>`
    select o.id, o.purpose, o.content from file_object o where o.id = ${fileId}`.execute(
    floor.database.kysely,
  )
  if (!rows[0]) throw new Error('no such file')
  return fileBytes(context, rows[0])
}

const pathOf = async (fileId: string): Promise<string> => {
  const row = await rowOf(fileId)
  return `/${row?.vendor}/lender-files/${row?.objectId}`
}

test('a file moves to the store of its app, sealed, and opens from there', async () => {
  const mine = await makePhoto()
  const other = await makePhoto('A2')
  expect(await run('fileMove')).toEqual({ moved: 1 })
  expect(await rowOf(mine.fileId)).toMatchObject({ here: false, vendor: 'first' })
  expect(await rowOf(other.fileId)).toMatchObject({ here: true, vendor: null })

  const [[path, sealed] = ['', PNG]] = [...objects]
  expect(path).toBe(await pathOf(mine.fileId))
  expect(path).not.toContain(mine.fileId)
  expect(sealed.includes(PNG.subarray(-20))).toBe(false)
  expect(sealed.length).toBe(PNG.length + 28)
  expect((await open(mine.fileId)).equals(PNG)).toBe(true)
  const manager = await floor.signIn('manager')
  expectPainted(await manager.send(customerPhoto, { photoId: mine.photoId }), PNG)
  expect(await run('fileMove')).toEqual({ moved: 0 })
  expect(await checkRule(floor.database.kysely, 'S07')).toMatchObject({ violations: 0 })
})

test('a store that fails is passed over, and without any the file stays here and opens', async () => {
  down.add('/first/')
  const passed = await makePhoto()
  expect(await run('fileMove')).toEqual({ moved: 1 })
  expect(await rowOf(passed.fileId)).toMatchObject({ here: false, vendor: 'second' })

  down.add('/second/')
  const { fileId, photoId } = await makePhoto()
  expect(await run('fileMove')).toEqual({ moved: 0 })
  expect(await rowOf(fileId)).toMatchObject({ here: true, vendor: null })
  expect((await open(fileId)).equals(PNG)).toBe(true)

  const { rows } = await sql<{ photoId: string }>`
    select p.id as "photoId" from customer_photo p where p.file_id = ${passed.fileId}`.execute(
    floor.database.kysely,
  )
  const manager = await floor.signIn('manager')
  const refusal = await manager.refused(customerPhoto, { photoId: rows[0]?.photoId })
  expect([refusal.code, refusal.problem?.id]).toEqual([400, 'G-AWAY'])
  expectPainted(await manager.send(customerPhoto, { photoId }), PNG)

  down.clear()
  expect(await run('fileMove')).toEqual({ moved: 1 })
  expect(await rowOf(fileId)).toMatchObject({ here: false, vendor: 'first' })
})

test('a process that ends between the steps leaves a file that opens, and an object that is erased', async () => {
  const { fileId } = await makePhoto()
  const { rows } = await sql<{ id: string }>`
    select c.id from tp_cfg c join tp_vendor v on v.id = c.vendor_id where v.code = 'first'`.execute(
    floor.database.kysely,
  )
  const cfgId = rows[0]?.id ?? ''
  const storage = storageVendorsOf(floor.context, { allowPrivate: true })
  // one ended before anything was sent, one before the bytes here were dropped
  await beginObject(floor.context, { cfgId, fileId }, PNG)
  const sent = await beginObject(floor.context, { cfgId, fileId }, PNG)
  await storage.call(cfgId, (store) => sendObject(store, sent))
  expect(await rowOf(fileId)).toMatchObject({ here: true, objectId: null })
  expect((await open(fileId)).equals(PNG)).toBe(true)

  await sql`
    update stored_object set looked_at = clock_timestamp() - interval '11 minutes'
      where state = 'writing'`.execute(floor.database.kysely)
  expect(await run('fileMove')).toEqual({ moved: 1 })
  expect(objects.has(`/first/lender-files/${sent.id}`)).toBe(true)
  expect(await run('objectErase')).toEqual({ erased: 2, later: 0 })
  expect(objects.has(`/first/lender-files/${sent.id}`)).toBe(false)
  expect((await open(fileId)).equals(PNG)).toBe(true)
})

test('an object that was changed or is gone is named by the reader, the look and the proof', async () => {
  const [changed, gone] = [await makePhoto(), await makePhoto()]
  await run('fileMove')
  const path = await pathOf(changed.fileId)
  const bytes = Buffer.from(objects.get(path) as Buffer)
  objects.set(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from([0])]))
  const manager = await floor.signIn('manager')
  const refusal = await manager.refused(customerPhoto, { photoId: changed.photoId })
  expect(refusal.problem?.id).toBe('G-LOST')
  expect(await rowOf(changed.fileId)).toMatchObject({ here: false, fault: 'damaged' })

  objects.delete(await pathOf(gone.fileId))
  await sql`
    update stored_object set looked_at = clock_timestamp() - interval '2 days'
      where file_id = ${gone.fileId}`.execute(floor.database.kysely)
  expect(await run('objectCheck')).toEqual({ checked: 1, lost: 1, unavailable: 0 })
  const { violations, sample } = await checkRule(floor.database.kysely, 'S08')
  expect([violations, sample.toSorted()]).toEqual([2, [changed.fileId, gone.fileId].toSorted()])

  objects.set(path, bytes)
  await sql`
    update stored_object set looked_at = clock_timestamp() - interval '2 days'
      where file_id = ${changed.fileId}`.execute(floor.database.kysely)
  await run('objectCheck')
  expect(await checkRule(floor.database.kysely, 'S08')).toMatchObject({ sample: [gone.fileId] })
})

test('who deletes a file deletes its key, and the object until the store confirms', async () => {
  const { fileId } = await makePhoto()
  await run('fileMove')
  const path = await pathOf(fileId)
  const id = path.split('/').at(-1)
  await withFiles('customer_photo', sql<boolean>`x.file_id = ${fileId}`).execute(
    floor.database.kysely,
  )
  const left = async () =>
    (
      await sql<{ state: string; key: Buffer | null; tries: number }>`
        select s.state, s.data_key_enc as key, s.tries from stored_object s
          where s.id = ${id}`.execute(floor.database.kysely)
    ).rows
  expect(await left()).toEqual([{ state: 'erasing', key: null, tries: 0 }])
  down.add('/first/')
  expect(await run('objectErase')).toEqual({ erased: 0, later: 1 })
  expect(objects.has(path)).toBe(true)
  expect(await left()).toMatchObject([{ state: 'erasing', tries: 1 }])
  down.clear()
  await sql`update stored_object set looked_at = clock_timestamp() where id = ${id}`.execute(
    floor.database.kysely,
  )
  expect(await run('objectErase')).toEqual({ erased: 1, later: 0 })
  expect([objects.has(path), await left()]).toEqual([false, []])
})

test('a new seal key reseals the keys of objects and leaves the objects', async () => {
  const { fileId } = await makePhoto()
  await run('fileMove')
  const before = objects.get(await pathOf(fileId))
  const [second] = parseSealKeys(nextSealKey([]))
  if (!second) throw new Error('the key just made cannot be read')
  const secrets = secretsOf(Buffer.alloc(32, 1), [second])
  const context = { ...floor.context, secrets }
  expect(await resealAll(context, [OBJECT_KEYS])).toBeGreaterThan(0)
  expect((await open(fileId, context)).equals(PNG)).toBe(true)
  expect(objects.get(await pathOf(fileId))).toBe(before)
  await expect(open(fileId)).rejects.toThrow('unknown format or key')
})

test('a store needs its bucket and region, and no answer has its secret', async () => {
  const { thirdPartyId } = await admin.call(api.addThirdParty, {
    code: 'third',
    name: 'third',
    kind: 'storage',
  })
  const given = { thirdPartyId, name: 'Main', baseUrl: address('third') }
  for (const [values, field] of [
    [KEYS, 'bucket'],
    [{ ...KEYS, bucket: 'a/../b' }, 'bucket'],
    [{ ...KEYS, bucket: 'lender-files', region: 'ap south' }, 'region'],
  ] as const) {
    const { data } = await admin.refused(api.addConfiguration, { ...given, values })
    expect(Object.keys((data as { fields: object }).fields)).toEqual([field])
  }
  const { rows } = await admin.call(api.listConfigurations, { kind: 'storage', pageSize: 200 })
  expect(rows.map(({ thirdPartyCode, keys, unset }) => [thirdPartyCode, keys, unset])).toEqual([
    ['first', ['bucket', 'keyId', 'region', 'secret'], []],
    ['second', ['bucket', 'keyId', 'region', 'secret'], []],
  ])
  expect(JSON.stringify(rows)).not.toContain(KEYS.secret)
})

test('the sandbox keeps what it is given, sealed', async () => {
  const { thirdPartyId } = await admin.call(api.addThirdParty, {
    code: 'played',
    name: 'played',
    kind: 'storage',
  })
  const { cfgId } = await admin.call(api.addConfiguration, {
    thirdPartyId,
    name: 'Sandbox',
    baseUrl: address('played'),
    values: { bucket: 'lender-files', ...KEYS },
  })
  const { kysely } = floor.database
  await sql`update tp_vendor set sandbox = true where id = ${thirdPartyId}`.execute(kysely)
  await admin.call(api.addService, { appId: 'A2', thirdPartyId, cfgId, priority: 1 })
  const { fileId } = await makePhoto('A2')
  await run('fileMove')
  expect(await rowOf(fileId)).toMatchObject({ here: false, vendor: 'played' })
  expect((await open(fileId)).equals(PNG)).toBe(true)
  const { rows } = await sql<{ content: Buffer }>`
    select s.content from sandbox_object s`.execute(kysely)
  expect(rows.every(({ content }) => !content.includes(PNG.subarray(-20)))).toBe(true)
  expect(await checkRule(kysely, 'S07')).toMatchObject({ violations: 0 })
})

test('a restored book opens what its stores have, and names what was erased since', async () => {
  const { kysely } = floor.database
  const [moved, erased] = [await makePhoto(), await makePhoto()]
  const ids = sql`(${moved.fileId}, ${erased.fileId})`
  // a backup of before the move
  await sql`create table early_file as select * from file_object where id in ${ids}`.execute(kysely)
  await run('fileMove')
  // and one of after it
  await sql`create table late_file as select * from file_object where id in ${ids}`.execute(kysely)
  await sql`
    create table late_object as select * from stored_object where file_id in ${ids}`.execute(kysely)

  const forget = async () => {
    await sql`delete from customer_photo where file_id in ${ids}`.execute(kysely)
    await sql`delete from file_object where id in ${ids}`.execute(kysely)
  }
  await sql`create table photos as select * from customer_photo where file_id in ${ids}`.execute(
    kysely,
  )
  await forget()
  objects.delete(
    `/first/lender-files/${
      (
        await sql<{ id: string }>`
      select o.id from late_object o where o.file_id = ${erased.fileId}`.execute(kysely)
      ).rows[0]?.id
    }`,
  )
  await sql`delete from stored_object where file_id is null`.execute(kysely)
  await sql`insert into file_object select * from late_file`.execute(kysely)
  await sql`insert into customer_photo select * from photos`.execute(kysely)
  await sql`insert into stored_object select * from late_object`.execute(kysely)
  expect((await open(moved.fileId)).equals(PNG)).toBe(true)
  await expect(open(erased.fileId)).rejects.toMatchObject({ id: 'G-LOST' })
  const { sample } = await checkRule(kysely, 'S08')
  expect(sample).toContain(erased.fileId)
  expect(sample).not.toContain(moved.fileId)

  await forget()
  await sql`insert into file_object select * from early_file`.execute(kysely)
  await sql`insert into customer_photo select * from photos`.execute(kysely)
  expect((await open(erased.fileId)).equals(PNG)).toBe(true)
  expect(await run('fileMove')).toEqual({ moved: 2 })
  expect((await open(erased.fileId)).equals(PNG)).toBe(true)
  expect(await checkRule(kysely, 'S07')).toMatchObject({ violations: 0 })
})
