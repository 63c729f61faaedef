/** Many reviewers race for one queue over real HTTP (trust.md B1, B2, B3, B6). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimReviews, decideReview, openReview, releaseReviews } from '#shared/review/review-api.ts'
import { makeReview, runOut } from '#tests/factories/reviews.ts'
import { addReviewers } from '#tests/factories/staff.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const CLIENTS = 50
const ITEMS = 500

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.close())

interface Step {
  review_id: string
  event: string
  token: number
  holder_id: string | null
}
const claimLog = async () => (await sql<Step>`select l.review_id, l.event, l.token, l.holder_id from review_log l order by l.review_id, l.id`.execute(stack.database.kysely)).rows

/** A new holder only after the one before gave the item up or lost it, and with a token of his own. */
function faults(log: readonly Step[]): string[] {
  const wrong: string[] = []
  const last = new Map<string, { holder: string | null; token: number }>()
  for (const step of log) {
    const before = last.get(step.review_id) ?? { holder: null, token: 0 }
    const isNewHolder = step.holder_id !== null && step.holder_id !== before.holder
    if (step.token < before.token) wrong.push(`${step.review_id}: the token fell from ${before.token} to ${step.token}`)
    if (isNewHolder && step.token <= before.token) wrong.push(`${step.review_id}: ${step.holder_id} holds with the token of the one before`)
    if (isNewHolder && before.holder !== null && step.event === 'CLAIM') wrong.push(`${step.review_id}: claimed from ${before.holder} by ${step.holder_id}`)
    last.set(step.review_id, { holder: step.holder_id, token: step.token })
  }
  return wrong
}

test(`${CLIENTS} reviewers empty a queue of ${ITEMS}: each item is decided once, by the one who held it`, async () => {
  for (let n = 0; n < ITEMS; n += 1) await makeReview(stack, { state: 'unclaimed' })
  const accounts = await addReviewers(stack, CLIENTS)
  const people = await Promise.all(accounts.map((account) => WebPerson.signIn(stack.url, account)))
  const decided = new Map<string, string>()
  const zombies: { person: WebPerson; reviewId: string; version: number; token: number }[] = []
  await Promise.all(
    people.map(async (person, at) => {
      for (;;) {
        const claimed = await person.send(claimReviews, { count: 1 })
        if (claimed.code !== 200) {
          expect(claimed.problem?.id).toBe('V-EMPTY')
          return
        }
        const row = claimed.data.ok[0]
        if (!row) return
        const open = await person.call(openReview, { reviewId: row.reviewId, version: row.version, token: row.token })
        // one in ten falls asleep past his lease; somebody else gets the item and the sleeper must be refused
        if (at % 10 === 0 && zombies.length < 20) {
          zombies.push({ person, reviewId: open.reviewId, version: open.version, token: open.token })
          await runOut(stack, open.reviewId)
          await stack.settle()
          continue
        }
        const key = crypto.randomUUID()
        const verdict = { reviewId: open.reviewId, version: open.version, token: open.token, result: 'failed' as const, rejectCode: 'A01' as const }
        const [first, again] = [await person.send(decideReview, verdict, key), await person.send(decideReview, verdict, key)]
        expect(first.code).toBe(200)
        expect(again).toEqual(first)
        expect(decided.has(open.reviewId)).toBe(false)
        decided.set(open.reviewId, person.account)
      }
    }),
  )
  expect(decided.size).toBe(ITEMS)
  for (const { person, reviewId, version, token } of zombies) {
    const refused = await person.send(decideReview, { reviewId, version, token, result: 'passed' })
    expect(refused).toMatchObject({ code: 409, problem: { id: 'V-LEASE' } })
  }
  expect(faults(await claimLog())).toEqual([])
  const { rows } = await sql<{ state: string; n: number }>`select r.state, count(*)::int as n from review r group by r.state`.execute(stack.database.kysely)
  expect(rows).toEqual([{ state: 'failed', n: ITEMS }])
})

test('thirty people press claim on the same row at once: one holds it, the others learn his name', async () => {
  const { reviewId } = await makeReview(stack, { state: 'unclaimed' })
  const people = await Promise.all((await addReviewers(stack, 30)).map((account) => WebPerson.signIn(stack.url, account)))
  const answers = await Promise.all(people.map((person) => person.send(claimReviews, { reviewIds: [reviewId] })))
  const won = answers.filter((answer) => answer.code === 200 && answer.data.ok.length === 1)
  expect(won).toHaveLength(1)
  const winner = won[0]?.data.ok[0]?.reviewerName
  for (const answer of answers.filter((other) => !won.includes(other))) {
    const refusal = answer.code === 200 ? answer.data.failed[0] : { problem: answer.problem?.id, params: answer.problem?.params }
    expect(refusal).toMatchObject({ problem: 'V-TAKEN', params: { userName: winner } })
  }
})

test('two tabs of one reviewer cannot hold more than the limit', async () => {
  for (let n = 0; n < 8; n += 1) await makeReview(stack, { state: 'unclaimed' })
  const [account] = await addReviewers(stack, 1)
  const tabs = [await WebPerson.signIn(stack.url, account as string), await WebPerson.signIn(stack.url, account as string)]
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => (tabs[n % 2] as WebPerson).send(claimReviews, { count: 1 })))
  const held = answers.flatMap((answer) => (answer.code === 200 ? answer.data.ok.map((row) => row.reviewId) : []))
  expect(held).toHaveLength(3)
  expect(new Set(held).size).toBe(3)
  await (tabs[0] as WebPerson).call(releaseReviews, { reviewIds: held, reason: 'end of the test' })
})
