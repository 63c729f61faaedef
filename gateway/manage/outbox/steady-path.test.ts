import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#gateway/manage/db/client.ts'
import { migrate } from '#gateway/manage/db/migrate.ts'
import { engines } from '#tests/support/engines.ts'

/** Events of a busy hour, none of them vacuumed. */
const EVENTS = 20_000
const ONE_BATCH = 1_000

describe.each(engines)('$name', ({ open }) => {
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, close } = await open())
    await migrate(database)
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r'
       and c.relname ~ '^(outbox_event|operate_log_.*|relay_state|log_chain)$'`,
    )
    expect(tables.length).toBeGreaterThan(6)
    for (const { name } of tables)
      await database.pool.query(`alter table ${name} set (autovacuum_enabled = off)`)
  })
  afterAll(() => close())

  const write = (count: number) =>
    database.pool.query(
      `insert into outbox_event (type, subject, rooms, data)
       select 'test', 'test', '{}', '{}' from generate_series(1, $1::int)`,
      [count],
    )
  const log = (count: number) =>
    database.pool.query(
      `insert into operate_log (user_name, action, result)
       select 'test', 'test', 'ok' from generate_series(1, $1::int)`,
      [count],
    )
  /** Pages of the database that a call reads. */
  async function pagesOf(call: string): Promise<number> {
    const { rows } = await database.pool.query<{
      'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
    }>(`explain (analyze, buffers, format json) select count(*) from ${call}`)
    const { Plan: plan } = (rows[0] as (typeof rows)[number])['QUERY PLAN'][0]
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  async function publishOne(): Promise<number> {
    await write(1)
    return pagesOf('relay_publish(10)')
  }
  async function sealOne(): Promise<number> {
    await log(1)
    return pagesOf('operate_log_seal(10)')
  }

  test('publishing an event and sealing a record read no more after many than after few', async () => {
    // plans are made and kept while the tables are all but empty, in one connection
    for (let n = 0; n < 12; n += 1) {
      await publishOne()
      await sealOne()
    }
    const before = { event: await publishOne(), record: await sealOne() }
    await write(EVENTS)
    await log(EVENTS / 10)
    for (let n = 0; n < EVENTS / ONE_BATCH; n += 1)
      await database.pool.query('select count(*) from relay_publish($1)', [ONE_BATCH])
    await database.pool.query('select operate_log_seal($1)', [EVENTS])
    // the floor follows when transactions of other databases of the server have ended, too, and what
    // was done before it is then passed over by the next publication and the next seal
    const floorAfterOne = async () => {
      await publishOne()
      await sealOne()
      const { rows } = await database.pool.query<{ at: number }>(
        'select r.floor_pos as at from relay_state r',
      )
      return rows[0]?.at
    }
    await expect.poll(floorAfterOne, { timeout: 30_000 }).toBeGreaterThan(EVENTS)
    const after = { event: await publishOne(), record: await sealOne() }
    expect(after.event).toBeLessThan(before.event * 2 + 20)
    expect(after.record).toBeLessThan(before.record * 2 + 40)
    const { rows } = await database.pool.query<{ n: number; waiting: number; span: number }>(
      `select count(*)::int as n, (max(e.seq) - min(e.seq) + 1)::int as span,
         count(*) filter (where e.seq is null)::int as waiting
       from outbox_event e`,
    )
    expect(rows[0]?.span).toBe(rows[0]?.n)
    expect(rows[0]?.waiting).toBe(0)
  })
})
