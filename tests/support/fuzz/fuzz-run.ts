/**
 * Random inputs to every call of manage, half of them valid and half hostile: no answer is a server
 * error, none contains personal data, and no JavaScript built-in is changed. fast-check prints the
 * seed.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Endpoint, placeOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import { BASE } from '#gateway/manage/core.ts'
import { makeFullApplication, storeCustomer, TINY_PNG } from '#tests/factories/customers.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { arbitraryOf, type Known } from './arbitrary-of.ts'
import { hostileBody, hostileHeaders, spoiled } from './hostile.ts'

interface Case {
  /** The input as sent: a text is a raw body. */
  input: unknown
  headers: Record<string, string>
  isAllowed: boolean
}

/** Calls that hash a password or end the session each time: a tenth of the cases. */
const SLOW = ['/login', '/sysUser/add', '/sysUser/adminReset', '/sysUser/logout']
/** Revealing one field, logged, is the purpose of these calls. */
const SHOWS_CLEAR = [
  '/userInfo/reveal',
  '/collection/case/reveal',
  '/collection/case/call',
  '/export/list/orderExport',
  '/export/list/loanExport',
  '/export/list/homeExport',
  '/export/list/feedbackExport',
  '/export/collection/task',
]

export class Fuzz {
  readonly floor: Floor
  #person: Person
  readonly #machine: Machine
  readonly #known: Known
  readonly #canaries: readonly string[]

  private constructor(
    floor: Floor,
    person: Person,
    machine: Machine,
    known: Known,
    canaries: readonly string[],
  ) {
    this.floor = floor
    this.#person = person
    this.#machine = machine
    this.#known = known
    this.#canaries = canaries
  }

  static async open(): Promise<Fuzz> {
    const floor = await testManage()
    const person = await floor.signIn('administrator')
    const reviewer = await floor.signIn('reviewer')
    const canaries: string[] = []
    const customers: string[] = []
    for (let n = 71_001; n <= 71_004; n += 1) {
      const application = makeFullApplication(n)
      customers.push((await storeCustomer(floor, application)).customerId)
      const { phone, pan, aadhaar, email } = application.customer
      canaries.push(
        phone,
        pan,
        aadhaar,
        application.bankCard.account,
        email ?? phone,
        ...application.contacts.map((contact) => contact.phone),
      )
    }
    const reviewIds: string[] = []
    const orderIds: string[] = []
    for (const state of [
      'initial',
      'unclaimed',
      'toAudit',
      'underReview',
      'manualCheck',
      'dataModifiable',
      'audited',
      'failed',
      'abnormal',
    ] as const) {
      const { reviewId, orderId, phone } = await makeReview(floor, {
        state,
        reviewerId: state === 'toAudit' ? person.userId : reviewer.userId,
        firstReviewerId: reviewer.userId,
      })
      reviewIds.push(reviewId)
      orderIds.push(orderId)
      canaries.push(phone)
    }
    for (const status of [10, 26, 29, 30, 31] as const)
      orderIds.push((await makeOrder(floor, { status })).orderId)
    const unit = await makeUnit(floor, { weight: 100 })
    const collector = await makeCollector(floor, unit)
    const caseIds: string[] = []
    for (const state of ['unallocated', 'allocated', 'promised', 'held'] as const) {
      const made = await makeCase(floor, {
        state,
        overdueDays: 12,
        ...(state === 'unallocated' ? {} : { collectorId: collector.userId }),
      })
      if (state === 'held')
        await sql`
          insert into stop_collection (customer_id, reason, state, applied_by, applied_by_name, remark)
            values (${made.customerId}, 'dispute', 'active', ${person.userId}, 'test', 'test')`.execute(
          floor.database.kysely,
        )
      caseIds.push(made.caseId)
      customers.push(made.customerId)
      canaries.push(made.phone)
    }
    const stopIds = (
      await sql<{ id: string }>`select s.id from stop_collection s`.execute(floor.database.kysely)
    ).rows.map(({ id }) => id)
    const feedbackIds: string[] = []
    for (const type of [1, 3, 4, 5] as const)
      for (const customerId of customers.slice(0, 2))
        feedbackIds.push((await makeTicket(floor, { type, customerId })).feedbackId)
    const platformOrderNos = (
      await sql<{ no: string }>`select t.platform_order_no as no from payout_transfer t`.execute(
        floor.database.kysely,
      )
    ).rows.map(({ no }) => no)
    const photoIds = (
      await sql<{ id: string }>`select f.id from file_object f`
        .execute(floor.database.kysely)
        .catch(() => ({ rows: [] }))
    ).rows.map(({ id }) => id)
    const known: Known = {
      reviewId: reviewIds,
      orderId: orderIds,
      caseId: caseIds,
      contactId: customers,
      feedbackId: feedbackIds,
      stopId: stopIds,
      collectorId: [collector.userId],
      agencyId: [unit.agencyId],
      userId: [...customers, reviewer.userId],
      reviewerId: [reviewer.userId, person.userId],
      toUserId: [reviewer.userId],
      platformOrderNo: platformOrderNos,
      photoId: photoIds,
      token: [0, 1, 2],
      version: [1, 2, 3],
      username: ['nobody', 'somebody'],
      base64: [TINY_PNG, 'QUJD'.repeat(100), `${'A'.repeat(30)}==`],
      appId: ['A1'],
      channelId: ['CH1'],
      productId: ['PR1'],
    }
    return new Fuzz(
      floor,
      person,
      await machineOf(floor, [
        'application',
        'machineReview',
        'payout',
        'payment',
        'feedback',
        'proof',
      ]),
      known,
      canaries,
    )
  }

  close(): Promise<void> {
    return this.floor.close()
  }

  /**
   * @param cases of each call.
   * @returns how many were sent. Every call is tried, also after one has failed
   */
  async run(cases: number): Promise<number> {
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted()
    let sent = 0
    const failures: string[] = []
    for (const e of this.floor.manage.endpoints) {
      const runs = SLOW.includes(e.path) ? Math.ceil(cases / 10) : cases
      await fc
        .assert(
          fc.asyncProperty(this.#casesOf(e), async (given) => {
            sent += 1
            this.#judge(e, given, await this.#send(e, given))
          }),
          { numRuns: runs },
        )
        .catch((error: Error) =>
          failures.push(
            `${e.method} ${e.path}: ${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}`,
          ),
        )
      expect(Object.getOwnPropertyNames(Object.prototype).toSorted(), `after ${e.path}`).toEqual(
        before,
      )
      expect(({} as { polluted?: unknown }).polluted, `after ${e.path}`).toBeUndefined()
    }
    expect(failures).toEqual([])
    return sent
  }

  #casesOf(e: Endpoint): fc.Arbitrary<Case> {
    const valid = arbitraryOf(e.input, this.#known)
    const key = (isSent: boolean): Record<string, string> =>
      isSent ? { 'idempotency-key': randomUUID() } : {}
    const allowed = valid.map((input): Case => ({
      input,
      headers: key(e.audit !== undefined),
      isAllowed: true,
    }))
    const hostile = fc
      .tuple(spoiled(valid), hostileHeaders, fc.boolean())
      .map(([input, headers, isSent]): Case => ({
        input,
        headers: { ...key(isSent), ...headers },
        isAllowed: false,
      }))
    const raw = fc
      .tuple(hostileBody, hostileHeaders)
      .map(([input, headers]): Case => ({ input, headers, isAllowed: false }))
    return placeOf(e) === 'body'
      ? fc.oneof(
          { weight: 6, arbitrary: allowed },
          { weight: 5, arbitrary: hostile },
          { weight: 1, arbitrary: raw },
        )
      : fc.oneof(allowed, hostile)
  }

  #judge(e: Endpoint, { isAllowed }: Case, answer: LightMyRequestResponse): void {
    expect(answer.statusCode, answer.payload.slice(0, 300)).toBeLessThan(500)
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const body = isJson ? answer.json<Envelope<unknown>>() : null
    if (body && e.path !== '/docs/openapi.json') {
      expect(body.code, answer.payload.slice(0, 300)).not.toBe(500)
      if (isAllowed) expect(body.problem?.id, answer.payload.slice(0, 300)).not.toBe('G400')
    }
    // A stack has lines of its own, with line ends escaped in JSON; 'at' and a time appear in
    // normal sentences.
    expect(answer.payload).not.toMatch(/node_modules|\\n\s+at |file:\/\/\/|select .* from /)
    // one comparison for all values: there are a million of them in a run
    if (!SHOWS_CLEAR.includes(e.path))
      expect(
        this.#canaries.filter((canary) => answer.payload.includes(canary)),
        `a clear value of a customer is in the answer of ${e.path}`,
      ).toEqual([])
  }

  async #send(e: Endpoint, { input, headers }: Case): Promise<LightMyRequestResponse> {
    const { app } = this.floor.manage
    const isMachine = typeof e.access === 'object' && 'machine' in e.access
    if (placeOf(e) === 'query') {
      // Request line and headers have 16 KiB in all: the transport refuses more before any handler
      // runs.
      const given =
        input !== null && typeof input === 'object'
          ? Object.entries(input).slice(0, 50)
          : [['q', input]]
      const query = Object.fromEntries(
        given.map(([name, value]) => [name, textOf(value).slice(0, 2_000)]),
      )
      return app.inject({
        method: e.method,
        url: BASE + e.path,
        query,
        headers: { authorization: this.#person.token, ...headers },
      })
    }
    const payload = typeof input === 'string' ? input : JSON.stringify(input)
    const signed = isMachine
      ? signMachineCall({ ...this.#machine, body: payload, eventId: randomUUID(), now: Date.now() })
      : { authorization: this.#person.token, 'content-type': 'application/json' }
    const answer = await app.inject({
      method: e.method,
      url: BASE + e.path,
      payload,
      headers: { ...signed, ...headers },
    })
    if (e.path === '/sysUser/logout') {
      // Thousands of failed sign-ins have locked the account by now.
      await sql`delete from login_failure`.execute(this.floor.database.kysely)
      this.#person = await this.floor.signIn('administrator')
    }
    return answer
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
