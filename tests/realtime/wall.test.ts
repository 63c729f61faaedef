/**
 * Wall screens on two edges: each receives only its own board, and a revoked one is disconnected
 * within a second.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  approvePairing,
  pollPairing,
  readBoard,
  revokeBoards,
  startPairing,
} from '#shared/wall/wall-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { machineOf } from '#tests/support/machine.ts'
import type { Person } from '#tests/support/manage.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

let stack: Stack
let three: ThreeAgencies
let manager: Person
const open: Listener[] = []
beforeAll(async () => {
  stack = await startStack({ edges: 2 })
  await (await testClock(stack.database)).to('11:00')
  three = await makeThreeAgencies(stack)
  manager = await stack.signIn('manager')
})
afterAll(async () => {
  for (const listener of open) listener.close()
  await stack.close()
})

/** A paired screen at an edge that has read its board and listens. */
async function screenOf(
  by: Person,
  edge: number,
): Promise<{ boardId: string; screen: WebPerson; received: Listener }> {
  const screen = new WebPerson(stack.urls[edge] as string, 'screen')
  const { code, pollSecret } = await screen.call(startPairing, {
    profile: 'mid',
    appVersion: 'test',
  })
  const { boardId } = await by.call(approvePairing, { code, name: 'Screen', profile: 'mid' })
  screen.token = (await screen.call(pollPairing, { pollSecret })).token ?? ''
  await screen.call(readBoard, {})
  const received = await screen.listen({ watch: ['menu:loaned_board', 'board:all'] }).ready()
  open.push(received)
  return { boardId, screen, received }
}

test('a payment updates the boards of the company and of its unit, and no other unit receives it', async () => {
  const [own, other] = [
    await stack.signIn(three.people[1]?.[2]?.account ?? ''),
    await stack.signIn(three.people[2]?.[2]?.account ?? ''),
  ]
  const made = await makeCase(stack, {
    collectorId: three.people[1]?.[0]?.userId ?? '',
    overdueDays: 12,
  })
  const [company, unit, stranger] = [
    await screenOf(manager, 0),
    await screenOf(own, 1),
    await screenOf(other, 0),
  ]
  await (
    await machineOf(stack, ['payment'])
  ).call(inboundPayment, {
    vendorOrderNo: 'S1',
    orderId: made.orderId,
    amount: 90_000,
    channel: 1,
    result: 'success',
    utr: '600000000001',
  })
  // The schedule uses the same clock, which is before its next run.
  stack.context.wakeSchedule('boardTick')
  const paid = (listener: Listener) =>
    listener.events.some(
      (event) =>
        event.type === 'board.tick' &&
        (event.data.tiles as { recoveredToday?: number } | undefined)?.recoveredToday === 90_000,
    )
  await company.received.until(() => paid(company.received), 20_000)
  await unit.received.until(() => paid(unit.received), 20_000)
  await stack.settle()
  expect(new Set(company.received.events.map((event) => event.type))).toEqual(
    new Set(['board.tick', 'repayment.changed']),
  )
  expect(new Set(unit.received.events.map((event) => event.type))).toEqual(
    new Set(['board.tick', 'repayment.changed']),
  )
  expect(paid(stranger.received)).toBe(false)
  expect(stranger.received.events.filter((event) => event.type !== 'board.tick')).toEqual([])
})

test('a revoked screen is disconnected from its edge within a second and cannot reconnect', async () => {
  const { boardId, screen, received } = await screenOf(manager, 1)
  const out = received.until(() => received.kicked !== null || !received.socket.connected, 5_000)
  const started = performance.now()
  await manager.call(revokeBoards, { boardIds: [boardId] })
  await out
  expect(performance.now() - started).toBeLessThan(1_000)
  const again = screen.listen({})
  open.push(again)
  const refused = await new Promise<{ data?: { code: number } }>((resolve) =>
    again.socket.once('connect_error', resolve),
  )
  expect(refused.data?.code).toBe(401)
})
