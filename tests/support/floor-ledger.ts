/**
 * What the floor had acknowledged, and its comparison with the database: nothing acknowledged is
 * missing, nothing is duplicated, and nothing exists that was not requested.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

interface Claimed {
  reviewId: string
  token: number
  userId: string
}
interface Decided extends Claimed {
  result: 'passed' | 'failed'
}

export class Ledger {
  readonly surprises: string[] = []
  #applications: { orderId: string; reviewId: string }[] = []
  #queued: string[] = []
  #claims: Claimed[] = []
  #decisions: Decided[] = []
  #releases: { reviewId: string; token: number }[] = []
  #handovers: string[] = []
  #applicants = 0

  /** A copy of what is acknowledged so far. */
  upToNow(): Ledger {
    const copy = new Ledger()
    copy.#applications = [...this.#applications]
    copy.#queued = [...this.#queued]
    copy.#claims = [...this.#claims]
    copy.#decisions = [...this.#decisions]
    copy.#releases = [...this.#releases]
    copy.#handovers = [...this.#handovers]
    return copy
  }

  nextApplicant(): number {
    return (this.#applicants += 1)
  }
  applied(application: { orderId: string; reviewId: string }): void {
    this.#applications.push(application)
  }
  queued(reviewId: string): void {
    this.#queued.push(reviewId)
  }
  claimed(claim: Claimed): void {
    this.#claims.push(claim)
  }
  decided(decision: Decided): void {
    this.#decisions.push(decision)
  }
  released(release: { reviewId: string; token: number }): void {
    this.#releases.push(release)
  }
  handedOver(handoverId: string): void {
    this.#handovers.push(handoverId)
  }

  summary(): string {
    return [
      `${this.#applications.length} applications`,
      `${this.#claims.length} claims`,
      `${this.#decisions.length} decisions`,
      `${this.#releases.length} releases`,
      `${this.#handovers.length} hand-overs`,
    ].join(', ')
  }
  get decisions(): number {
    return this.#decisions.length
  }

  /**
   * @param isComplete whether every call has been answered; then the database must contain exactly
   * what was acknowledged
   * @returns the differences, empty when there are none
   */
  async differences(database: Database, isComplete: boolean): Promise<string[]> {
    const wrong: string[] = []
    const orders = await strings(database, sql`select o.id as value from loan_order o`)
    for (const { orderId } of this.#applications)
      if (!orders.has(orderId)) wrong.push(`order ${orderId} was acknowledged and is missing`)
    if (isComplete && orders.size !== this.#applications.length)
      wrong.push(`${orders.size} orders of ${this.#applications.length} applications`)
    const twice = await strings(
      database,
      sql`select o.customer_id as value from loan_order o group by o.customer_id having count(*) > 1`,
    )
    for (const customer of twice)
      wrong.push(`customer ${customer} has two orders of one application`)

    const reviewed = await strings(
      database,
      sql`select r.id as value from review r where r.machine_state is not null`,
    )
    for (const id of this.#queued)
      if (!reviewed.has(id))
        wrong.push(`the machine review of ${id} was acknowledged and is missing`)

    const claims = await counted(
      database,
      sql`
        select l.review_id || ' ' || l.token || ' ' || l.holder_id as value from review_log l
          where l.event = 'CLAIM'`,
    )
    compare(
      'claim',
      claims,
      this.#claims.map(({ reviewId, token, userId }) => `${reviewId} ${token} ${userId}`),
      isComplete,
      wrong,
    )
    const decisions = await counted(
      database,
      sql`
        select l.review_id || ' ' || l.token || ' ' || l.by_user_id || ' ' || r.manual_result as value
          from review_log l join review r on r.id = l.review_id where l.event = 'SUBMIT'`,
    )
    compare(
      'decision',
      decisions,
      this.#decisions.map(
        ({ reviewId, token, userId, result }) => `${reviewId} ${token} ${userId} ${result}`,
      ),
      isComplete,
      wrong,
    )
    const decidedTwice = await strings(
      database,
      sql`
        select l.review_id as value from review_log l where l.event = 'SUBMIT' group by l.review_id
          having count(*) > 1`,
    )
    for (const id of decidedTwice) wrong.push(`review ${id} was decided twice`)
    const releases = await counted(
      database,
      sql`select l.review_id || ' ' || (l.token - 1) as value from review_log l where l.event = 'RELEASE'`,
    )
    compare(
      'release',
      releases,
      this.#releases.map(({ reviewId, token }) => `${reviewId} ${token}`),
      isComplete,
      wrong,
    )
    const handovers = await counted(
      database,
      sql`select h.id as value from review_handover h where h.state = 'approved'`,
    )
    compare('hand-over', handovers, this.#handovers, isComplete, wrong)
    return wrong
  }
}

function compare(
  what: string,
  stored: ReadonlyMap<string, number>,
  acknowledged: readonly string[],
  isComplete: boolean,
  wrong: string[],
): void {
  for (const one of acknowledged)
    if (!stored.has(one)) wrong.push(`${what} ${one} was acknowledged and is missing`)
  for (const [one, times] of stored)
    if (times > 1) wrong.push(`${what} ${one} is there ${times} times`)
  if (!isComplete) return
  const known = new Set(acknowledged)
  for (const one of stored.keys())
    if (!known.has(one)) wrong.push(`${what} ${one} is there and was never acknowledged`)
}

async function strings(database: Database, query: ReturnType<typeof sql>): Promise<Set<string>> {
  const { rows } = await query.execute(database.kysely)
  return new Set((rows as { value: string }[]).map(({ value }) => value))
}
async function counted(
  database: Database,
  query: ReturnType<typeof sql>,
): Promise<Map<string, number>> {
  const { rows } = await query.execute(database.kysely)
  const counts = new Map<string, number>()
  for (const { value } of rows as { value: string }[])
    counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
