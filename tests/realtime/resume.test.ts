/** A client that was offline receives what it missed: nothing lost, nothing twice, in order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimReviews, releaseReviews } from '#shared/review/review-api.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { WebPerson } from '#tests/support/web-person.ts'

let stack: Stack
let reviewId: string
beforeAll(async () => {
  stack = await startStack({ edges: 1 })
  reviewId = (await makeReview(stack, { state: 'unclaimed' })).reviewId
})
afterAll(() => stack.close())

/** Claims and releases `times` times: each round is a handful of events for the queue. */
async function stir(person: WebPerson, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    await person.call(claimReviews, { reviewIds: [reviewId] })
    await person.call(releaseReviews, { reviewIds: [reviewId], reason: 'stirring the queue' })
  }
}
const queueEvents = async (after: number) =>
  (await stack.events(after))
    .filter((event) => event.rooms.includes('queue:review'))
    .map((event) => event.seq)

test('a socket that disconnects repeatedly receives every event once', async () => {
  const worker = await WebPerson.signIn(stack.url, 'reviewer')
  const watcher = await WebPerson.signIn(stack.url, 'reviewer2')
  const received = await watcher.listen().ready()
  await received.until(() => received.lastSeq !== undefined)
  const from = received.lastSeq as number
  const stirring = stir(worker, 40)
  for (let n = 0; n < 12; n += 1) {
    await new Promise((resume) => setTimeout(resume, 40))
    // Like a pulled cable, without a close frame; while it is reconnecting there is no connection
    // to cut.
    const engine = received.socket.io.engine as
      | { transport?: { ws?: { close(): void } } }
      | undefined
    engine?.transport?.ws?.close()
  }
  await stirring
  const expected = await queueEvents(from)
  const last = expected.at(-1) as number
  await received.until((events) => events.some((event) => event.seq === last), 20_000)
  expect(
    received.events
      .map((event) => event.seq)
      .filter((seq) => expected.includes(seq))
      .toSorted((a, b) => a - b),
  ).toEqual(expected)
  received.close()
})

test('when an edge dies, the client resumes from its cursor at another', async () => {
  const second = await stack.addEdge()
  const worker = await WebPerson.signIn(second, 'reviewer')
  const watcher = await WebPerson.signIn(stack.url, 'reviewer2')
  const before = await watcher.listen().ready()
  await before.until(() => before.lastSeq !== undefined)
  await stir(worker, 5)
  await stack.settle()
  const cursor = before.lastSeq as number
  before.close()
  await stir(worker, 10)
  watcher.url = second
  const after = await watcher.listen({ lastSeq: cursor }).ready()
  const expected = await queueEvents(cursor)
  await after.until((events) => events.length >= expected.length, 20_000)
  expect(after.events.map((event) => event.seq)).toEqual(expected)
  expect(after.resyncs).toBe(0)
  after.close()
})

test('an unknown cursor causes a resync, and the client then continues live', async () => {
  const watcher = await WebPerson.signIn(stack.url, 'reviewer3')
  const received = await watcher.listen({ lastSeq: 9_000_000 }).ready()
  await received.until(() => received.resyncs === 1)
  const worker = await WebPerson.signIn(stack.url, 'reviewer')
  await stir(worker, 1)
  await received.until((events) => events.length > 0)
  received.close()
})
