import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyOperateLog } from '#shared/access/operate-log-api.ts'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  anchorsOf,
  appendAnchor,
  checkChain,
  readAnchor,
  readCut,
} from '#gateway/manage/kernel/chain-signature.ts'
import { termDays } from '#gateway/manage/kernel/retained.ts'
import { secretsOf } from '#gateway/manage/kernel/secrets.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { proveChain } from '../prove-chain-job.ts'
import { archivesIn, checkArchives, readArchive } from './log-archive.ts'
import { logRemoval } from './remove-entries-job.ts'

const OLD = 3_000
/** The newest entries that always stay. */
const KEPT = 1_000

const folder = mkdtempSync(join(tmpdir(), 'archive-'))
const anchors = join(folder, 'anchors.log')
let floor: Floor
beforeAll(async () => {
  floor = await testManage()
  await sql`
    insert into operate_log (time, user_name, action, after, result)
    select clock_timestamp() - make_interval(days => 2000) + make_interval(secs => n), 'Ø ' || n, 'old',
      jsonb_build_object('n', n, 'text', repeat('x', n % 90)), 'ok'
    from generate_series(1, ${OLD}) n`.execute(floor.database.kysely)
  await floor.settle()
  appendAnchor(anchors, await readAnchor(floor.database.kysely, floor.context.secrets))
})
afterAll(async () => {
  await floor.close()
  rmSync(folder, { recursive: true, force: true })
})

const contextWith = (more: Partial<AppContext>): AppContext => ({
  ...floor.context,
  logArchiveDir: folder,
  ...more,
})
const oldRows = async () =>
  (
    await sql<{ n: number }>`
      select count(*)::int as n from operate_log where action = 'old'`.execute(
      floor.database.kysely,
    )
  ).rows[0]?.n
async function brokenRules(): Promise<string[]> {
  const { database, context } = floor
  const cut = await readCut(database.kysely)
  return [
    ...(await checkChain(database, context.secrets, anchorsOf(anchors))),
    await checkArchives(folder, context.secrets, cut),
    ...(await brokenInvariants(database)),
  ]
    .filter(({ violations }) => violations > 0)
    .map(({ code }) => code)
}

test('entries stay where no place is set for them, and for a year whatever the term says', async () => {
  expect(await logRemoval.run(floor.context)).toEqual({})
  expect(await oldRows()).toBe(OLD)
  expect(await termDays(floor.context, 'export.keepHours', 365)).toBe(365)
})

test('entries over their term leave for a signed file while people work, and the chain holds', async () => {
  const manager = await floor.signIn('administrator')
  // cut off behind its first statement that deletes
  const isNamed = {
    get aborted() {
      return archivesIn(folder).length > 0
    },
  } as AbortSignal
  await logRemoval.run(contextWith({ stopping: isNamed }))
  const left = (await oldRows()) ?? 0
  expect(left).toBeLessThan(OLD)
  expect(left).toBeGreaterThan(KEPT)
  expect(await brokenRules()).toEqual([])
  let answered = 0
  let isOver = false
  const working = (async () => {
    while (!isOver) {
      await manager.call(listNotifications, {})
      answered += 1
    }
  })()
  await logRemoval.run(contextWith({}))
  isOver = true
  await working
  expect(answered).toBeGreaterThan(0)
  await floor.settle()
  const cut = await readCut(floor.database.kysely)
  expect(await oldRows()).toBe(OLD - cut.no)
  expect(await brokenRules()).toEqual([])
  expect(await proveChain.run(contextWith({ anchorFile: anchors }))).toEqual({
    checked: expect.any(Number) as number,
  })
  expect(await manager.call(verifyOperateLog, {})).toMatchObject({
    brokenAt: null,
    next: null,
    removed: cut.no,
  })
  const [file = ''] = archivesIn(folder)
  expect(await readArchive(file, floor.context.secrets)).toMatchObject({ from: 1, hash: cut.hash })
  const { rows } = await sql<{ after: Record<string, unknown> }>`
    select l.after from operate_log l where l.action = 'logRemoval' order by l.id limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.after).toMatchObject({ from: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test('an exported entry that was changed, or a file of another installation, is told', async () => {
  const [file = ''] = archivesIn(folder)
  const kept = readFileSync(file)
  const { secrets } = floor.context
  const lines = gunzipSync(kept).toString().replace('\\"n\\": 7,', '\\"n\\": 8,')
  expect(lines).not.toBe(gunzipSync(kept).toString())
  writeFileSync(file, gzipSync(lines))
  await expect(readArchive(file, secrets)).rejects.toThrow('broken at no. 7')
  expect(await brokenRules()).toEqual(['K05'])
  writeFileSync(file, kept.subarray(0, kept.length / 2))
  expect(await brokenRules()).toEqual(['K05'])
  writeFileSync(file, kept)
  await expect(readArchive(file, secretsOf(Buffer.alloc(32, 9)))).rejects.toThrow('not signed')
  expect(await brokenRules()).toEqual([])
})

test('entries of the term cannot be deleted, and a moved beginning of the chain is told', async () => {
  const run = (statement: string) => sql.raw(statement).execute(floor.database.kysely)
  await expect(run('delete from operate_log where chain_no > 2500')).rejects.toThrow('append-only')
  // an owner of the database can move the cut, but cannot sign the place it was moved to
  await run(`update log_chain set cut_no = 2500, cut_hash = (select l.hash from operate_log l
    where l.chain_no = 2500)`)
  await run('delete from operate_log where chain_no <= 2500')
  expect(await brokenRules()).toContain('K04')
  expect(await proveChain.run(floor.context)).toEqual({ brokenAt: 2500 })
})
