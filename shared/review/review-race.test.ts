/**
 * Two reviewers claim and open one item while the sweep ends leases; responses and events reach the
 * two screens in any order. Writes follow the server (facts read at the time of the write); a
 * screen keeps the newest version it received.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reviewLifecycle, type ReviewEvent, type ReviewState } from './review-lifecycle.ts'

interface Row {
  state: ReviewState
  owner: string | null
  /** Increases with every change of owner. */
  token: number
  version: number
}

class Race {
  row: Row = { state: 'unclaimed', owner: null, token: 0, version: 1 }
  readonly screens = new Map<string, Row>(['asha', 'ben'].map((name) => [name, this.row]))
  private readonly scheduler: fc.Scheduler

  constructor(scheduler: fc.Scheduler) {
    this.scheduler = scheduler
  }

  /** Lets any other step of the race run first. */
  async whenever<T>(what: T, label: string): Promise<T> {
    return this.scheduler.schedule(Promise.resolve(what), label)
  }

  receive(name: string, received: Row): void {
    const shown = this.screens.get(name)
    if (!shown || received.version > shown.version) this.screens.set(name, received)
  }

  /** One transaction: null when the lifecycle refuses. Both screens receive it at some time. */
  write(event: ReviewEvent, owner: string | null): Row | null {
    const { row } = this
    if (!reviewLifecycle.can(row.state, event)) return null
    const isNewOwner = owner !== row.owner
    if (row.owner !== null && owner !== null)
      expect(owner, 'an owned item changes hands only over the queue').toBe(row.owner)
    this.row = {
      state: reviewLifecycle.next(row.state, event),
      owner,
      token: row.token + (isNewOwner ? 1 : 0),
      version: row.version + 1,
    }
    for (const name of this.screens.keys())
      void this.whenever(this.row, `event ${event.type} to ${name}`).then((received) =>
        this.receive(name, received),
      )
    return this.row
  }

  async review(name: string): Promise<void> {
    await this.whenever(null, `${name} claims`)
    const claimed = this.write({ type: 'CLAIM', openClaims: 0, capacity: 3, isMaker: false }, name)
    if (!claimed) return
    this.receive(name, await this.whenever(claimed, `answer to ${name}`))
    await this.whenever(null, `${name} opens`)
    const before = this.row
    const opened = this.write(
      {
        type: 'OPEN',
        isOwner: before.owner === name,
        tokenCurrent: before.token === claimed.token,
      },
      name,
    )
    expect(opened !== null, 'only the present holder opens').toBe(
      before.owner === name && before.token === claimed.token,
    )
  }

  async sweep(): Promise<void> {
    await this.whenever(null, 'sweeper')
    this.write({ type: 'LEASE_EXPIRED', leaseOver: this.row.owner !== null }, null)
  }
}

test('any order of claims, responses, events and expiry ends with one holder and consistent screens', async () => {
  const outcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const race = new Race(scheduler)
      await scheduler.waitFor(
        Promise.all([race.review('asha'), race.review('ben'), race.sweep(), race.sweep()]),
      )
      await scheduler.waitIdle()
      expect(race.row.owner === null).toBe(race.row.state === 'unclaimed')
      expect([...race.screens.values()]).toEqual([race.row, race.row])
      outcomes.add(`${race.row.state} ${race.row.owner}`)
    }),
    { numRuns: 5_000 },
  )
  // All outcomes occur, so the orders were really mixed.
  expect(outcomes).toEqual(new Set(['unclaimed null', 'underReview asha', 'underReview ben']))
})
