import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '#tests/support/engines.ts'
import type { Database } from './client.ts'
import { migrate } from './migrate.ts'
import { makeMonths } from './months.ts'

const MIGRATIONS = fileURLToPath(new URL('./migrations/', import.meta.url))
/** The first migration that divides a log. */
const FIRST = '0430'
const LOGS = ['message_log', 'notification', 'operate_log']

describe.each(engines)('$name', ({ open }) => {
  let folder: string
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'undivided-'))
    for (const name of await readdir(MIGRATIONS))
      if (name < FIRST) await cp(path.join(MIGRATIONS, name), path.join(folder, name))
    ;({ database, close } = await open())
    await migrate(database, folder)
  })
  afterAll(async () => {
    await close()
    await rm(folder, { recursive: true })
  })

  async function one<T>(query: string): Promise<T> {
    return (await database.pool.query(query)).rows[0] as T
  }
  const book = () =>
    one<Record<string, unknown>>(`
      select (select md5(string_agg(n::text, '|' order by n.id)) from notification n) as notifications,
        (select md5(string_agg(m::text, '|' order by m.id)) from message_log m) as messages,
        (select md5(string_agg(l::text, '|' order by l.id)) from operate_log l) as log,
        (select count(*)::int from operate_log l where l.chain_no is not null) as sealed,
        (select operate_log_broken_at()) as broken`)

  test('a book of before is divided with all it holds, its numbers go on and its chain holds', async () => {
    await database.pool.query(`
      set session_replication_role = replica;
      insert into notification (user_id, kind, title_key, at)
        select 'U' || n, 'job', 'x', clock_timestamp() - n * interval '30 days' from generate_series(0, 9) n;
      insert into message_log (customer_id, way, template, state, at)
        select 'C' || n, 'sms', 'x', 'sent', clock_timestamp() - n * interval '300 days'
        from generate_series(0, 9) n;
      insert into operate_log (user_name, action, result, time)
        select 'x', 'x', 'ok', clock_timestamp() - n * interval '90 days' from generate_series(0, 9) n;
      reset session_replication_role`)
    await database.pool.query('select operate_log_seal(6)')
    const before = await book()
    expect(before).toMatchObject({ sealed: 6, broken: null })
    expect((await migrate(database)).at(0)).toMatch(`${FIRST}-`)
    expect(await book()).toEqual(before)
    await database.pool.query(`
      insert into notification (user_id, kind, title_key) values ('U1', 'job', 'x');
      insert into message_log (customer_id, way, template, state) values ('C1', 'sms', 'x', 'sent');
      insert into operate_log (user_name, action, result) values ('x', 'x', 'ok')`)
    await database.pool.query('select operate_log_seal(100)')
    expect(await book()).toMatchObject({ sealed: 11, broken: null })
    expect(
      await one(`select (select max(m.id)::int from message_log m) as message,
        (select max(l.id)::int from operate_log l) as entry`),
    ).toEqual({ message: 11, entry: 11 })
    // the month that was under way stays with what was before
    expect(
      await one(`select (select count(*)::int from message_log_before) as messages,
        (select count(*)::int from operate_log_before) as entries`),
    ).toEqual({ messages: 11, entries: 11 })
    await expect(database.pool.query('delete from operate_log_before')).rejects.toThrow(
      'append-only',
    )
    await expect(database.pool.query('truncate operate_log_before')).rejects.toThrow('append-only')
  })

  const months = async (log: string) =>
    (
      await database.pool.query<{ ahead: number; part: string }>(
        `select m.part, ((extract(year from m.month) - extract(year from t.now)) * 12
           + extract(month from m.month) - extract(month from t.now))::int as ahead
         from months_of($1) m, (select clock_timestamp() at time zone 'Asia/Kolkata' as now) t
         order by m.month`,
        [log],
      )
    ).rows

  test('this month and the next two are there, and one that is missing is made', async () => {
    for (const log of LOGS) {
      const made = await months(log)
      expect(made.at(-1)?.ahead).toBe(2)
      await database.pool.query(`drop table ${made.at(-1)?.part}`)
    }
    expect(await makeMonths(database)).toBe(LOGS.length)
    for (const log of LOGS) expect((await months(log)).at(-1)?.ahead).toBe(2)
    expect(await makeMonths(database)).toBe(0)
    // a month has what the log before it had
    const guards = await one<{ n: number }>(`
      select count(*)::int as n from pg_trigger t
      where t.tgrelid = '${(await months('operate_log')).at(-1)?.part}'::regclass`)
    expect(guards.n).toBe(2)
    const last = (await months('operate_log')).at(-1)?.part
    await database.pool.query(
      `insert into operate_log (user_name, action, result, time, chain_no)
       select 'x', 'x', 'ok', m.month + interval '7 days', 900
       from months_of('operate_log') m where m.part = $1`,
      [last],
    )
    await expect(
      database.pool.query(`
        insert into operate_log (user_name, action, result, time, chain_no)
        select 'x', 'x', 'ok', l.time, 900 from operate_log l where l.chain_no = 900`),
    ).rejects.toThrow('chain_no')
  })

  test('a row without a month is written, stays where it is and is told', async () => {
    const last = (await months('notification')).at(-1)?.part ?? ''
    await database.pool.query(`
      insert into notification (user_id, kind, title_key, at) values ('U1', 'job', 'far',
        clock_timestamp() + interval '4 years')`)
    expect(await one('select count(*)::int as n from notification_unplaced')).toEqual({ n: 1 })
    await database.pool.query(`drop table ${last}`)
    await database.pool.query(`
      update notification set at = clock_timestamp() + interval '2 months' where title_key = 'far'`)
    await makeMonths(database)
    expect((await months('notification')).map(({ part }) => part)).not.toContain(last)
    expect(
      await one(`select count(*)::int as n from notification where title_key = 'far'`),
    ).toEqual({ n: 1 })
  })
})
