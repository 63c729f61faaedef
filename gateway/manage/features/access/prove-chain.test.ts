import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import {
  anchorsOf,
  appendAnchor,
  brokenAnchors,
  checkChain,
  isSignedChain,
  readAnchor,
} from '#gateway/manage/kernel/chain-signature.ts'
import { secretsOf } from '#gateway/manage/kernel/secrets.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { proveChain } from './prove-chain-job.ts'

const folder = mkdtempSync(join(tmpdir(), 'anchors-'))
let floor: Floor
beforeEach(async () => {
  floor = await testManage()
  for (const account of ['director', 'manager', 'reviewer']) await floor.signIn(account)
  await floor.settle()
})
afterEach(() => floor.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (statement: RawBuilder<unknown>) => statement.execute(floor.database.kysely)
const prove = (anchorFile: string | null = null) => proveChain.run({ ...floor.context, anchorFile })

/** What somebody with the database, and without the keys, can do: all of it. */
async function rewriteHistory(): Promise<void> {
  await run(sql`alter table operate_log disable trigger all`)
  await run(sql`update operate_log set user_name = 'Nobody' where chain_no = 2`)
  await run(sql`update operate_log set chain_no = null, prev_hash = null, hash = null`)
  await run(sql`update log_chain set last_no = 0, last_hash = '\\x00'`)
  await run(sql`select operate_log_seal(500)`)
  await run(sql`alter table operate_log enable trigger all`)
}

test('an intact chain is verified each hour, with its anchors', async () => {
  const file = join(folder, 'sound.log')
  appendAnchor(file, await readAnchor(floor.database.kysely, floor.context.secrets))
  expect(await prove(file)).toEqual({ checked: expect.any(Number) as number })
  const rules = await checkChain(floor.database, floor.context.secrets, anchorsOf(file))
  expect(rules.map(({ code, violations }) => [code, violations])).toEqual([
    ['K02', 0],
    ['K03', 0],
    ['K04', 0],
  ])
})

test('rewritten history with a new chain is reported, and never anchored again', async () => {
  const administrator = await floor.signIn('administrator')
  await floor.settle()
  await rewriteHistory()
  expect(await prove()).toEqual({ brokenAt: expect.any(Number) as number })
  await floor.signIn('director')
  await floor.settle()
  expect(await isSignedChain(floor.database.kysely, floor.context.secrets)).toBe(false)
  const { rows } = await administrator.call(listNotifications, { kind: 'system' })
  expect(rows[0]).toMatchObject({ titleKey: 'access:operateLog.chainNotice' })
})

test('a chain put back to an earlier state misses its anchors', async () => {
  const { kysely } = floor.database
  const { secrets } = floor.context
  const file = join(folder, 'cut.log')
  const earlier = await run(sql`select last_no, last_hash, signed_no, signature from log_chain`)
  const before = earlier.rows[0] as Record<string, unknown>
  await floor.signIn('collector')
  await floor.settle()
  appendAnchor(file, await readAnchor(kysely, secrets))
  await run(sql`alter table operate_log disable trigger all`)
  await run(sql`delete from operate_log where chain_no > ${before.last_no}`)
  await run(sql`
    update log_chain set last_no = ${before.last_no}, last_hash = ${before.last_hash},
      signed_no = ${before.signed_no}, signature = ${before.signature}`)
  await run(sql`alter table operate_log enable trigger all`)
  expect(await prove()).toEqual({ checked: expect.any(Number) as number })
  expect(await prove(file)).toEqual({ brokenAt: expect.any(Number) as number })
  expect((await checkChain(floor.database, secrets, anchorsOf(file)))[1]?.violations).toBe(1)
})

test('an anchor written by somebody else is reported', async () => {
  const end = await readAnchor(floor.database.kysely, secretsOf(Buffer.alloc(32, 7)))
  expect(await brokenAnchors(floor.database.kysely, floor.context.secrets, [end])).toEqual([end.no])
})

test('the operate log cannot be emptied', async () => {
  await expect(run(sql`truncate operate_log`)).rejects.toThrow('append-only')
  await expect(run(sql`delete from log_chain`)).rejects.toThrow('append-only')
})
