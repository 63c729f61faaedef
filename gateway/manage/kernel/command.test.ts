import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endpoint } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'
import { CHANGED_BY_OTHER, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { systemActor } from './actor.ts'
import { type CommandTx, refusalAnswer, runCommand } from './command.ts'
import { keyed } from './repeatable.ts'
import { serveCommand } from './serve.ts'

const ADD = endpoint({
  method: 'POST',
  path: '/counter/add',
  access: 'any',
  input: Type.Object(
    { by: Type.Integer({ minimum: 1 }), fail: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  data: Type.Object({ value: Type.Integer() }),
  audit: 'add',
  menu: 'counter',
  summary: 'Adds',
})
const STRICT = endpoint({ ...ADD, path: '/counter/strict', idempotency: 'required' })
const FORBIDDEN_HERE = endpoint({ ...ADD, path: '/counter/secret', access: ['nobody:ever'] })
const CHANGED = liveEvent('counter.changed', Type.Object({ value: Type.Integer() }))

async function add(tx: CommandTx, input: { by: number; fail?: boolean }) {
  const { rows } = await sql<{
    value: number
    version: number
  }>`
    update counter set value = value + ${input.by}, version = version + 1
    where id = 1
    returning value, version`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  tx.emit(CHANGED, {
    subject: 'counter:1',
    version: row.version,
    rooms: ['all'],
    data: { value: row.value },
  })
  tx.log({ action: 'add', targetKind: 'counter', targetId: '1', after: { value: row.value } })
  if (input.fail) throw new Problem(NOT_FOUND)
  return { value: row.value }
}

let floor: Floor
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({
      menus: SESSION_MENU,
      routes(base, context) {
        for (const e of [ADD, STRICT, FORBIDDEN_HERE]) serveCommand(base, context, e, add)
      },
    }),
  })
  await sql`create table counter (id int primary key, value int not null, version int not null)`.execute(
    floor.database.kysely,
  )
})
afterAll(() => floor.close())
beforeEach(async () => {
  await sql`delete from counter`.execute(floor.database.kysely)
  await sql`insert into counter values (1, 0, 0)`.execute(floor.database.kysely)
})
const value = async () =>
  (await sql<{ value: number }>`select c.value from counter c`.execute(floor.database.kysely))
    .rows[0]?.value
const logOf = async (action: string) =>
  (
    await sql<{
      result: string
      user_id: string | null
    }>`select l.result, l.user_id from operate_log l where l.action = ${action} order by l.id`.execute(
      floor.database.kysely,
    )
  ).rows

test('the same request sent three times at once has one effect and one answer', async () => {
  const person = await floor.signIn('director')
  const answers = await Promise.all(
    [1, 2, 3].map(() => person.send(ADD, { by: 5 }, { 'idempotency-key': 'same-key-0001' })),
  )
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(await value()).toBe(5)
  const { rows } = await sql<{ response: string }>`
    select k.response
    from idempotency_key k
    where k.key = 'same-key-0001'`.execute(floor.database.kysely)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.response).toMatch(/^[A-Za-z0-9+/]+=*$/)
  expect((await person.send(ADD, { by: 5 }, { 'idempotency-key': 'same-key-0001' })).body).toBe(
    answers[0]?.body,
  )
  expect(await value()).toBe(5)
})

test('a used key is refused for another payload and free for another person', async () => {
  const person = await floor.signIn('director')
  await person.call(ADD, { by: 1 }, { 'idempotency-key': 'same-key-0002' })
  expect(
    await person.refused(ADD, { by: 2 }, { 'idempotency-key': 'same-key-0002' }),
  ).toMatchObject({ code: 409, problem: { id: 'G-IK' } })
  const other = await floor.signIn('manager')
  expect(await other.call(ADD, { by: 2 }, { 'idempotency-key': 'same-key-0002' })).toEqual({
    value: 3,
  })
})

test('a repeated request is answered as the first time, even where it would be refused by now', async () => {
  const person = await floor.signIn('director')
  const first = await person.send(ADD, { by: 1 }, { 'idempotency-key': 'same-key-0004' })
  await sql`delete from counter`.execute(floor.database.kysely)
  const logged = (await logOf('add')).length
  expect((await person.send(ADD, { by: 1 }, { 'idempotency-key': 'same-key-0004' })).body).toBe(
    first.body,
  )
  // and another payload under its key is told so, not why it would be refused
  expect(
    await person.refused(ADD, { by: 2 }, { 'idempotency-key': 'same-key-0004' }),
  ).toMatchObject({ code: 409, problem: { id: 'G-IK' } })
  expect((await logOf('add')).slice(logged).map((row) => row.result)).toEqual(['refused:G-IK'])
})

test('a refusal changes nothing, is stored as the answer and stands in the operate log', async () => {
  const person = await floor.signIn('director')
  const before = (await logOf('add')).length
  const first = await person.send(
    ADD,
    { by: 1, fail: true },
    { 'idempotency-key': 'same-key-0003' },
  )
  expect(first.json()).toMatchObject({ code: 400, problem: { id: 'G404' } })
  expect(await value()).toBe(0)
  expect(
    (await person.send(ADD, { by: 1, fail: true }, { 'idempotency-key': 'same-key-0003' })).body,
  ).toBe(first.body)
  expect((await logOf('add')).slice(before).map((row) => row.result)).toEqual(['refused:G404'])
})

test('the same request refused twice at once for different reasons has one answer', async () => {
  for (const key of [
    'refused-twice-1',
    'refused-twice-2',
    'refused-twice-3',
    'refused-twice-4',
    'refused-twice-5',
  ]) {
    const outcomes = await Promise.all(
      [NOT_FOUND, CHANGED_BY_OTHER].map((kind) =>
        runCommand(
          floor.context,
          {
            actor: systemActor('test'),
            audit: { action: 'race' },
            repeatable: keyed(floor.context, systemActor('test'), {
              route: '/race',
              key,
              input: {},
            }),
          },
          async (tx) => {
            await tx.now()
            throw new Problem(kind)
          },
        ).then(
          (outcome) => outcome.answer,
          (error: Problem) => refusalAnswer(error),
        ),
      ),
    )
    expect(new Set(outcomes).size, outcomes.join(' | ')).toBe(1)
  }
})

test('a refused command emits no event', async () => {
  const person = await floor.signIn('director')
  const before = (await floor.events()).length
  await person.refused(ADD, { by: 1, fail: true })
  expect((await floor.events()).length).toBe(before)
})

test('a call that needs a key is refused without one', async () => {
  const person = await floor.signIn('director')
  const answer = await floor.manage.app.inject({
    method: 'POST',
    url: '/api/manage/counter/strict',
    payload: { by: 1 },
    headers: { authorization: person.token },
  })
  expect(answer.json()).toMatchObject({ code: 400, problem: { id: 'G-KEY' } })
})

test('a missing permission is refused before anything is looked up', async () => {
  const person = await floor.signIn('administrator')
  expect(await person.refused(FORBIDDEN_HERE, { by: 1 })).toMatchObject({
    code: 403,
    problem: { id: 'G403' },
  })
  expect(await value()).toBe(0)
})

test('with twenty writers of one row, event versions follow the log without a gap', async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await Promise.all(
    Array.from({ length: 20 }, () =>
      runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'add' } }, (tx) =>
        add(tx, { by: 1 }),
      ),
    ),
  )
  const events = await floor.events(before)
  expect(events.map((event) => event.entity_version)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  expect(events.map((event) => event.seq)).toEqual(
    Array.from({ length: 20 }, (_, i) => before + i + 1),
  )
})

test('a row of the operate log cannot be changed or removed, and the chain shows where one was', async () => {
  const person = await floor.signIn('director')
  await person.call(ADD, { by: 1 })
  await floor.settle()
  await expect(
    sql`update operate_log set action = 'other' where action = 'add'`.execute(
      floor.database.kysely,
    ),
  ).rejects.toThrow('append-only')
  await expect(sql`delete from operate_log`.execute(floor.database.kysely)).rejects.toThrow(
    'append-only',
  )
  const broken = async () =>
    (
      await sql<{ at: number | null }>`select operate_log_broken_at() as at`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.at
  expect(await broken()).toBeNull()
  await sql`alter table operate_log disable trigger operate_log_append_only`.execute(
    floor.database.kysely,
  )
  const { rows } = await sql<{
    chain_no: number
    user_name: string
  }>`
    update operate_log set user_name = 'somebody else'
    where chain_no = (select max(l.chain_no) - 1 from operate_log l)
    returning chain_no, user_name`.execute(floor.database.kysely)
  expect(await broken()).toBe(rows[0]?.chain_no)
})

test('hostile bodies are refused with an envelope', async () => {
  const person = await floor.signIn('director')
  for (const payload of [
    '{"by":1,"__proto__":{"x":1}}',
    '{"by":',
    '[]',
    '"x"',
    '{"by":"\\u0000"}',
    `{"by":${'['.repeat(40)}${']'.repeat(40)}}`,
  ]) {
    const answer = await floor.manage.app.inject({
      method: 'POST',
      url: '/api/manage/counter/add',
      payload,
      headers: { authorization: person.token, 'content-type': 'application/json' },
    })
    expect(answer.json().code).toBe(400)
  }
  expect(({} as { x?: number }).x).toBeUndefined()
})
