/** Many reviewers race for one queue over real HTTP; tests/long has a queue of two thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimReviews, releaseReviews } from '#shared/review/review-api.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { addReviewers } from '#tests/factories/staff.ts'
import { raceForQueue } from '#tests/support/claim-race.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { WebPerson } from '#tests/support/web-person.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.close())

test('fifty reviewers empty a queue of two hundred: each item is decided once, by its holder', async () => {
  await raceForQueue(stack, { clients: 50, items: 200, sleepers: 20 })
})

test('of thirty simultaneous claims of one row one succeeds, and the others get its holder’s name', async () => {
  await raceForOne(stack)
})

test('the same holds on a database with several connections, where claims wait for each other', async () => {
  const server = await onLocalServer(() => startStack())
  if (server === null) return
  await raceForQueue(server, { clients: 10, items: 60, sleepers: 3 })
  await raceForOne(server)
  await server.close()
})

async function raceForOne(floor: Stack): Promise<void> {
  const { reviewId } = await makeReview(floor, { state: 'unclaimed' })
  const people = await Promise.all(
    (await addReviewers(floor, 30)).map((account) => WebPerson.signIn(floor.url, account)),
  )
  const answers = await Promise.all(
    people.map((person) => person.send(claimReviews, { reviewIds: [reviewId] })),
  )
  const won = answers.filter((answer) => answer.code === 200 && answer.data.ok.length === 1)
  expect(won).toHaveLength(1)
  const winner = won[0]?.data.ok[0]?.reviewerName
  for (const answer of answers.filter((other) => !won.includes(other))) {
    const refusal =
      answer.code === 200
        ? answer.data.failed[0]
        : { problem: answer.problem?.id, params: answer.problem?.params }
    expect(refusal).toMatchObject({ problem: 'V-TAKEN', params: { userName: winner } })
  }
}

test('two tabs of one reviewer cannot exceed the claim limit', async () => {
  for (let n = 0; n < 8; n += 1) await makeReview(stack, { state: 'unclaimed' })
  const [account] = await addReviewers(stack, 1)
  const tabs = [
    await WebPerson.signIn(stack.url, account as string),
    await WebPerson.signIn(stack.url, account as string),
  ]
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      (tabs[n % 2] as WebPerson).send(claimReviews, { count: 1 }),
    ),
  )
  const held = answers.flatMap((answer) =>
    answer.code === 200 ? answer.data.ok.map((row) => row.reviewId) : [],
  )
  expect(held).toHaveLength(3)
  expect(new Set(held).size).toBe(3)
  await (tabs[0] as WebPerson).call(releaseReviews, { reviewIds: held, reason: 'end of the test' })
})
