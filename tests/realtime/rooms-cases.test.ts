/**
 * Nine users of three agencies over real sockets: each receives exactly what they may see, and
 * nothing more once a case is taken away.
 */
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
  /** 0 and 1 are collectors, 2 is their supervisor. */
  n: number
  userId: string
  person: Person
  received: Listener
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
        received: await (await WebPerson.signIn(stack.url, account)).listen().ready(),
      })
  }
  manager = await (await WebPerson.signIn(stack.url, 'manager')).listen().ready()
})
afterAll(async () => {
  for (const { received } of all) received.close()
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
/**
 * The socket keeps its order, so once an answer has arrived everything written before it has, too.
 */
async function caughtUp(listener: Listener): Promise<void> {
  await stack.settle()
  await listener.watch('menu:nothing')
}
const typesFor = (listener: Listener, caseId: string) =>
  listener.events.filter((event) => event.subject === `case:${caseId}`).map((event) => event.type)

test.each([0, 1, 2])(
  'agency %i: a contact is received by its collector, their supervisor and the manager, whatever others watch',
  async (agency) => {
    const { userId, person } = by(agency, 0)
    const made = await makeCase(stack, { collectorId: userId, overdueDays: 12 })
    // All of them request the room by name; only users who may see the case are admitted.
    for (const { received } of all)
      await received.socket.emitWithAck('watch', { kind: 'case', key: made.caseId })
    await person.call(followCase, visit(made, 1, 1))
    for (const one of all) {
      await caughtUp(one.received)
      const isInRoom = one.agency === agency && (one.n === 0 || one.n === 2)
      expect(
        typesFor(one.received, made.caseId),
        `person ${one.n} of agency ${one.agency}`,
      ).toEqual(isInRoom ? ['case.followed'] : [])
    }
    await caughtUp(manager)
    expect(typesFor(manager, made.caseId)).toEqual(['case.followed'])
  },
)

test('a collector is informed when a case is taken away and then receives nothing more of it', async () => {
  const former = by(1, 0)
  const made = await makeCase(stack, { collectorId: former.userId, overdueDays: 12 })
  expect(
    await former.received.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).toMatchObject({ code: 200 })
  await runCommand(
    stack.context,
    { actor: systemActor('test'), audit: { action: 'test' } },
    async (tx) =>
      recallCase(tx, await lockCase(tx, made.caseId, sql<boolean>`true`), {
        cause: 'leader',
        reason: 'end of shift',
        menu: 'pedding_list',
      }),
  )
  await former.received.until((events) =>
    events.some(
      (event) => event.type === 'case.recalled' && event.subject === `case:${made.caseId}`,
    ),
  )
  await stack.settle()
  // Nobody may record a contact on a pool case; its next holder is in another agency.
  const next = by(2, 0)
  await sql`
    update collection_case set state = 'allocated', collector_id = ${next.userId},
      agency_id = ${three.units[2]?.agencyId}, token = 3, version = 3, intimated_at = clock_timestamp()
      where id = ${made.caseId}`.execute(stack.database.kysely)
  await next.person.call(followCase, visit(made, 3, 3))
  await caughtUp(former.received)
  expect(typesFor(former.received, made.caseId).filter((type) => type === 'case.followed')).toEqual(
    [],
  )
  expect(
    await former.received.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).not.toMatchObject({ code: 200 })
  await caughtUp(next.received)
  expect(typesFor(next.received, made.caseId)).toEqual(['case.followed'])
})

test('when a run is undone, the former holder of an open case is informed and may not open it again', async () => {
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
    await holder.received.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).toMatchObject({ code: 200 })
  await leader.call(undoRun, { runId, reason: 'wrong stage' }, key())
  await caughtUp(holder.received)
  expect(
    holder.received.events.filter((event) => event.type === 'case.access.changed').at(-1)?.data,
  ).toEqual({ caseIds: [made.caseId] })
  expect(
    await holder.received.socket.emitWithAck('watch', { kind: 'case', key: made.caseId }),
  ).not.toMatchObject({ code: 200 })
})
