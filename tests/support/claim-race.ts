/**
 * Many reviewers race for one queue over real HTTP: who holds, who decides, and how long a claim
 * takes.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { claimReviews, decideReview, openReview } from '#shared/review/review-api.ts'
import { makeReview, runOut } from '#tests/factories/reviews.ts'
import { addReviewers } from '#tests/factories/staff.ts'
import type { Stack } from './stack.ts'
import { WebPerson } from './web-person.ts'

interface Step {
  review_id: string
  event: string
  token: number
  holder_id: string | null
}

/** A new holder only after the previous one released or lost the item, and with a new token. */
function faults(log: readonly Step[]): string[] {
  const wrong: string[] = []
  const last = new Map<string, { holder: string | null; token: number }>()
  for (const step of log) {
    const before = last.get(step.review_id) ?? { holder: null, token: 0 }
    const isNewHolder = step.holder_id !== null && step.holder_id !== before.holder
    if (step.token < before.token)
      wrong.push(`${step.review_id}: the token fell from ${before.token} to ${step.token}`)
    if (isNewHolder && step.token <= before.token)
      wrong.push(`${step.review_id}: ${step.holder_id} holds with the token of the one before`)
    if (isNewHolder && before.holder !== null && step.event === 'CLAIM')
      wrong.push(`${step.review_id}: claimed from ${before.holder} by ${step.holder_id}`)
    last.set(step.review_id, { holder: step.holder_id, token: step.token })
  }
  return wrong
}

interface Sleeper {
  person: WebPerson
  reviewId: string
  version: number
  token: number
}

/**
 * Empties a queue of `items` with `clients` reviewers, some of whom let their lease expire.
 * @returns milliseconds of each claim, sorted
 */
export async function raceForQueue(
  stack: Stack,
  { clients, items, sleepers }: { clients: number; items: number; sleepers: number },
): Promise<number[]> {
  for (let n = 0; n < items; n += 1) await makeReview(stack, { state: 'unclaimed' })
  const accounts = await addReviewers(stack, clients)
  const people = await Promise.all(accounts.map((account) => WebPerson.signIn(stack.url, account)))
  const decided = new Map<string, string>()
  const asleep: Sleeper[] = []
  const waits: number[] = []
  async function work(person: WebPerson, at: number): Promise<void> {
    for (;;) {
      const began = performance.now()
      const claimed = await person.send(claimReviews, { count: 1 })
      waits.push(performance.now() - began)
      if (claimed.code !== 200) {
        expect(claimed.problem?.id).toBe('V-EMPTY')
        return
      }
      const row = claimed.data.ok[0]
      if (!row) return
      const open = await person.call(openReview, {
        reviewId: row.reviewId,
        version: row.version,
        token: row.token,
      })
      // One in ten lets the lease expire; another reviewer gets the item and the first must be
      // refused.
      if (at % 10 === 0 && asleep.length < sleepers) {
        asleep.push({ person, reviewId: open.reviewId, version: open.version, token: open.token })
        await runOut(stack, open.reviewId)
        // the race may be over before the sweep of every five seconds is due
        stack.context.wakeSchedule('leaseSweep')
        await stack.settle()
        continue
      }
      const key = crypto.randomUUID()
      const verdict = {
        reviewId: open.reviewId,
        version: open.version,
        token: open.token,
        result: 'failed' as const,
        rejectCode: 'A01' as const,
      }
      const [first, again] = [
        await person.send(decideReview, verdict, key),
        await person.send(decideReview, verdict, key),
      ]
      expect(first.code).toBe(200)
      expect(again).toEqual(first)
      expect(decided.has(open.reviewId)).toBe(false)
      decided.set(open.reviewId, person.account)
    }
  }
  await Promise.all(people.map(work))
  expect(decided.size).toBe(items)
  expect(asleep.length).toBeGreaterThan(0)
  for (const { person, reviewId, version, token } of asleep) {
    expect(
      await person.send(decideReview, { reviewId, version, token, result: 'passed' }),
    ).toMatchObject({ code: 409, problem: { id: 'V-LEASE' } })
  }
  const log = await sql<Step>`
      select l.review_id, l.event, l.token, l.holder_id from review_log l order by l.review_id, l.id`.execute(
    stack.database.kysely,
  )
  expect(faults(log.rows)).toEqual([])
  const { rows } = await sql<{
    state: string
    n: number
  }>`select r.state, count(*)::int as n from review r group by r.state`.execute(
    stack.database.kysely,
  )
  expect(rows).toEqual([{ state: 'failed', n: items }])
  return waits.toSorted((a, b) => a - b)
}

/** Of sorted values. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
