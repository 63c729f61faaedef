/** Months that are over their term leave their logs while commands are being written. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import {
  archivesIn,
  checkArchives,
  readArchive,
} from '#gateway/manage/features/access/removal/log-archive.ts'
import { logRemoval } from '#gateway/manage/features/access/removal/remove-entries-job.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { checkChain, readCut } from '#gateway/manage/kernel/chain-signature.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

/** Entries of the operate log that always stay. */
const KEPT = 1_000
const LOGS = ['message_log', 'notification', 'operate_log']

const folder = mkdtempSync(join(tmpdir(), 'months-'))
let floor: Floor
beforeAll(async () => {
  floor = await testManage()
  // logs that were divided long ago
  for (const log of LOGS)
    for (const statement of [
      `alter table ${log} detach partition ${log}_before`,
      `alter table ${log} attach partition ${log}_before for values from (minvalue)
         to ('2019-01-01 00:00+05:30')`,
      `select make_month('${log}', month) from unnest(array['2019-01-01', '2019-02-01']::date[]) month`,
    ])
      await run(statement)
})
afterAll(async () => {
  await floor.close()
  rmSync(folder, { recursive: true, force: true })
})

function run<T = unknown>(statement: string) {
  return sql.raw<T>(statement).execute(floor.database.kysely)
}
async function partsOf(log: string): Promise<string[]> {
  const { rows } = await run<{ part: string }>(
    `select m.part from months_of('${log}') m where m.month < '2020-01-01' order by m.month`,
  )
  return rows.map(({ part }) => part)
}
const countOf = async (from: string) =>
  (await run<{ n: number }>(`select count(*)::int as n from ${from}`)).rows[0]?.n

/** Writes commands, and reads, until the work is done. @returns how many commands were written */
async function writingDuring(work: () => Promise<unknown>): Promise<number> {
  const manager = await floor.signIn('manager')
  let isOver = false
  const write = async (): Promise<number> => {
    let written = 0
    while (!isOver) {
      await runCommand(
        floor.context,
        { actor: systemActor('test'), audit: { action: 'test' } },
        async (tx) => {
          tx.notify({
            userId: manager.userId,
            kind: 'system',
            titleKey: 'x',
            params: {},
            route: '/home',
          })
        },
      )
      await manager.call(listNotifications, {})
      written += 1
    }
    return written
  }
  const [, ...written] = await Promise.all([
    work().finally(() => {
      isOver = true
    }),
    write(),
    write(),
    write(),
  ])
  return written.reduce((sum, n) => sum + n, 0)
}

test('a month of messages of which none must stay goes whole, of another the others are deleted', async () => {
  const { caseId, customerId } = await makeCase(floor)
  const add = (month: string, of: string | null) =>
    run(`
      insert into message_log (customer_id, way, template, case_id, state, at)
      select '${customerId}', 'sms', 'agentNamed', ${of === null ? 'null' : `'${of}'`}, 'sent',
        '2019-${month}-05'::timestamptz + n * interval '1 minute' from generate_series(1, 1200) n`)
  await add('01', null)
  await add('02', null)
  await add('02', caseId)
  await run(`insert into notification (user_id, kind, title_key, at)
    select u.id, 'job', 'old', '2019-01-07' from sys_user u`)
  const people = await countOf('sys_user')
  const retention = floor.manage.parts.schedules.find(({ name }) => name === 'retention')
  let counts: RunCounts | undefined
  const written = await writingDuring(async () => {
    counts = await retention?.run(floor.context)
  })
  expect(written).toBeGreaterThan(0)
  expect(counts).toMatchObject({ removed: 1_200, monthsRemoved: 3 })
  expect(await partsOf('message_log')).toEqual(['message_log_2019_02'])
  expect(await partsOf('notification')).toEqual([])
  expect(await countOf('message_log_2019_02')).toBe(1_200)
  expect(await countOf(`notification where title_key = 'x'`)).toBe(written)
  const { rows } = await run<{ after: unknown }>(
    `select l.after from operate_log l where l.action = 'retention' order by l.id`,
  )
  expect(rows.map(({ after }) => after)).toEqual(
    expect.arrayContaining([
      { removed: { notifications: { rows: people, month: '2019-01' } } },
      { removed: { messages: { rows: 1_200, month: '2019-01' } } },
    ]),
  )
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('a month of the operate log is exported, detached and dropped while commands are written', async () => {
  // a log of its own: the newest entries of a book begin behind its old ones
  const book = await testManage()
  const former = floor
  floor = book
  try {
    await run(`alter table operate_log detach partition operate_log_before`)
    await run(`alter table operate_log attach partition operate_log_before
      for values from (minvalue) to ('2019-01-01 00:00+05:30')`)
    for (const month of ['2019-01-01', '2019-02-01', '2019-03-01'])
      await run(`select make_month('operate_log', '${month}')`)
    const entries = (from: string, n: number) =>
      run(`insert into operate_log (time, user_name, action, result)
        select '${from}'::timestamptz + n * interval '1 second', 'Ø', 'old', 'ok'
        from generate_series(1, ${n}) n`)
    await entries('2019-01-03', 700)
    await entries('2019-02-03', 700)
    // sealed among those of the month before: the month waits for it
    await entries('2019-01-31', 1)
    await entries('2019-03-01 00:00+05:30', 3)
    await run(`insert into operate_log (user_name, action, result)
      select 'x', 'x', 'ok' from generate_series(1, ${KEPT})`)
    await floor.settle()
    const context = { ...floor.context, logArchiveDir: folder }
    const written = await writingDuring(() => logRemoval.run(context))
    expect(written).toBeGreaterThan(0)
    await floor.settle()
    expect(await countOf(`operate_log where action = 'test'`)).toBe(written)
    expect(await partsOf('operate_log')).toEqual([])
    expect(await countOf(`pg_class where relname ~ '^operate_log_2019'`)).toBe(0)
    const { kysely } = floor.database
    const cut = await readCut(kysely)
    expect(cut.no).toBe(1_404)
    const broken = async () =>
      [
        ...(await checkChain(floor.database, floor.context.secrets, [])),
        await checkArchives(folder, floor.context.secrets, await readCut(kysely)),
        ...(await brokenInvariants(floor.database)),
      ]
        .filter(({ violations }) => violations > 0)
        .map(({ code }) => code)
    expect(await broken()).toEqual([])
    const [file = ''] = archivesIn(folder)
    expect(await readArchive(file, floor.context.secrets)).toMatchObject({ from: 1, to: cut.no })
    const { rows } = await run<{ after: unknown }>(
      `select l.after from operate_log l where l.action = 'logRemoval' order by l.id`,
    )
    expect(rows.map(({ after }) => after)).toEqual([
      expect.objectContaining({ from: 1, to: cut.no }),
      { month: '2019-01', rows: 701 },
      { month: '2019-02', rows: 700 },
      { month: '2019-03', rows: 3 },
    ])
    writeFileSync(file, 'damaged')
    expect(await broken()).toEqual(['K05'])
    rmSync(file)
    expect(await broken()).toEqual(['K05'])
  } finally {
    floor = former
    await book.close()
  }
})
