/** Nine people of three agencies over real sockets: each hears exactly what he may see, and nothing more once a case is taken from him (trust.md E2, E5). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { autoAllocate, undoRun } from '#shared/collection/allocation-api.ts'
import { followCase } from '#shared/collection/cases-api.ts'
import { recallCase } from '#gateway/manage/features/collection/cases/recall-case.ts'
import { lockCase } from '#gateway/manage/features/collection/case-store.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import type { Person } from '#tests/support/manage.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

interface Somebody {
  agency: number
  /** 0 and 1 collect, 2 leads. */
  n: number
  userId: string
  person: Person
  heard: Listener
}

let stack: Stack
let three: ThreeAgencies
const all: Somebody[] = []
let manager: Listener

beforeAll(async () => {
  stack = await startStack()
  await (await testClock(stack.database)).to('11:00')
  three = await makeThreeAgencies(stack)
  for (const [agency, people] of three.people.entries()) {
    for (const [n, { account, userId }] of people.entries())
      all.push({
        agency,
        n,
        userId,
        person: await stack.signIn(account),
        heard: await (await WebPerson.signIn(stack.url, account)).listen().ready(),
      })
  }
  manager = await (await WebPerson.signIn(stack.url, 'manager')).listen().ready()
}, 120_000)
afterAll(async () => {
  for (const { heard } of all) heard.close()
  manager.close()
  await stack.close()
})

const by = (agency: number, n: number) =>
  all.find((one) => one.agency === agency && one.n === n) as Somebody
const visit = (made: MadeCase, version: number, token: number) => ({
  caseId: made.caseId,
  version,
  token,
  contactWay: 'visit' as const,
  contactId: made.customerId,
  contactResult: 3 as const,
  nextFollowTime: '2099-01-01T00:00:00Z',
  remark: 'Nobody at home',
})
/** The socket keeps its order, so what was written before an answer is here with it. */
async function caughtUp(listener: Listener): Promise<void> {
  await stack.settle()
  await listener.watch('menu:nothing')
}
const told = (listener: Listener, caseId: string) =>
  listener.events.filter((event) => event.subject === `case:${caseId}`).map((event) => event.type)

test.each([0, 1, 2])(
  'agency %i: a contact is heard by its collector, his supervisor and the manager, whatever the others watch',
  async (agency) => {
    const { userId, person } = by(agency, 0)
    const made = await makeCase(stack, { collectorId: userId, overdueDays: 12 })
    // everybody asks for the room by name; only who may see the case gets in
    for (const { heard } of all)
      await heard.socket.emitWithAck('watch', { kind: 'case', key: made.caseId })
    await person.call(followCase, visit(made, 1, 1))
    for (const one of all) {
      await caughtUp(one.heard)
      const mayHear = one.agency === agency && (one.n === 0 || one.n === 2)
      expect(told(one.heard, made.caseId), `person ${one.n} of agency ${one.agency}`).toEqual(
        mayHear ? ['case.followed'] : [],
      )
    }
    await caughtUp(manager)
    expect(told(manager, made.caseId)).toEqual(['case.followed'])
  },
)

test('who had a case open hears that it was taken, and within a second nothing more of it', async () => {
  const former = by(1, 0)
  const made = await makeCase(stack, { collectorId: former.userId, overdueDays: 12 })
  expect(
    await former.heard.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).toMatchObject({ code: 200 })
  await runCommand(
    stack.house,
    { actor: systemActor('test'), audit: { action: 'test' } },
    async (cx) =>
      recallCase(cx, await lockCase(cx, made.caseId, sql<boolean>`true`), {
        cause: 'leader',
        reason: 'end of shift',
        menu: 'pedding_list',
      }),
  )
  await former.heard.until((events) =>
    events.some(
      (event) => event.type === 'case.recalled' && event.subject === `case:${made.caseId}`,
    ),
  )
  await stack.settle()
  // a pool case may be recorded by nobody; its next holder is another agency's
  const next = by(2, 0)
  await sql`update collection_case set state = 'allocated', collector_id = ${next.userId}, agency_id = ${three.units[2]?.agencyId}, token = 3, version = 3, intimated_at = clock_timestamp() where id = ${made.caseId}`.execute(
    stack.database.kysely,
  )
  await next.person.call(followCase, visit(made, 3, 3))
  await caughtUp(former.heard)
  expect(told(former.heard, made.caseId).filter((type) => type === 'case.followed')).toEqual([])
  expect(
    await former.heard.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).not.toMatchObject({ code: 200 })
  await caughtUp(next.heard)
  expect(told(next.heard, made.caseId)).toEqual(['case.followed'])
})

test('a run taken back takes the open case with it: its former holder hears that, and may not look again', async () => {
  const leader = await stack.signIn('manager')
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const made = await makeCase(stack, { overdueDays: 12 })
  const { runId } = await leader.call(
    autoAllocate,
    { stageIds: ['M1'], scope: 'unallocated' },
    key(),
  )
  await stack.settle()
  const { rows } = await sql<{
    collector_id: string
  }>`select c.collector_id from collection_case c where c.id = ${made.caseId}`.execute(
    stack.database.kysely,
  )
  const holder = all.find((one) => one.userId === rows[0]?.collector_id) as Somebody
  expect(
    await holder.heard.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).toMatchObject({ code: 200 })
  await leader.call(undoRun, { runId, reason: 'wrong stage' }, key())
  await caughtUp(holder.heard)
  expect(
    holder.heard.events.filter((event) => event.type === 'case.access.changed').at(-1)?.data,
  ).toEqual({ caseIds: [made.caseId] })
  expect(
    await holder.heard.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).not.toMatchObject({ code: 200 })
})
