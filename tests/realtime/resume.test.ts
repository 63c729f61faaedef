/** A client that was away hears what it missed: nothing lost, nothing twice, in order (trust.md A1, A3, A9). */
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

/** Claim and release as often as asked: each round is a handful of events to the queue. */
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

test('a socket that drops again and again hears every event once', async () => {
  const worker = await WebPerson.signIn(stack.url, 'reviewer')
  const watcher = await WebPerson.signIn(stack.url, 'reviewer2')
  const heard = await watcher.listen().ready()
  await heard.until(() => heard.lastSeq !== undefined)
  const from = heard.lastSeq as number
  const stirring = stir(worker, 40)
  for (let n = 0; n < 12; n += 1) {
    await new Promise((resume) => setTimeout(resume, 40))
    // as a cable pulled out: no goodbye; while it is already reconnecting there is no wire to pull
    const engine = heard.socket.io.engine as unknown as
      | { transport?: { ws?: { close(): void } } }
      | undefined
    engine?.transport?.ws?.close()
  }
  await stirring
  const expected = await queueEvents(from)
  const last = expected.at(-1) as number
  await heard.until((events) => events.some((event) => event.seq === last), 20_000)
  expect(
    heard.events
      .map((event) => event.seq)
      .filter((seq) => expected.includes(seq))
      .sort((a, b) => a - b),
  ).toEqual(expected)
  heard.close()
})

test('an edge that dies is replaced by another: the cursor goes on there', async () => {
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

test('a cursor from another world is told to read its screens again, and then goes on live', async () => {
  const watcher = await WebPerson.signIn(stack.url, 'reviewer3')
  const heard = await watcher.listen({ lastSeq: 9_000_000 }).ready()
  await heard.until(() => heard.resyncs === 1)
  const worker = await WebPerson.signIn(stack.url, 'reviewer')
  await stir(worker, 1)
  await heard.until((events) => events.length > 0)
  heard.close()
})
