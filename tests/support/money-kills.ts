/**
 * kill -9 of a whole console while sixteen clients move money, three in ten of their calls sent
 * three times at once: payments, bookings and their confirmation, reductions, write-offs, repeated
 * disbursements. Nothing acknowledged is lost or duplicated, and the books reconcile.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { redisburse } from '#shared/orders/disbursement-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  decideReductions,
  launchReduction,
  reductionLimit,
} from '#shared/repayments/reductions-api.ts'
import { addRecord, confirmRecord, quotePayment } from '#shared/repayments/repayments-api.ts'
import { launchWriteOff, writeOffQuote } from '#shared/repayments/write-offs-api.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { ConsoleProcesses } from './console-processes.ts'
import { type ChaosDatabase, withDatabase, INTERNAL_SECRET } from './chaos-database.ts'
import { steadily, WebMachine } from './steady.ts'
import { freePort } from './stack.ts'
import { WebPerson } from './web-person.ts'

const CLIENTS = 16
const THRICE = 0.3
/** 10,000.00 each. */
const AMOUNT = 1_000_000
/** A start after a kill, on a shared machine. */
const PATIENCE_MS = 240_000
/** Normal refusals, when others work on the same loan. */
const ORDINARY = ['M-OPEN', 'G409', 'O-STATE', 'O-RULE', 'M-AMT', 'M-STATE', 'M-REDST', 'G-FIELD']

export interface MoneyKills {
  seed: number
  work: string
  starts: number[]
}

interface Pools {
  running: string[]
  overdue: string[]
  /** Loans to be written off and disbursements to be repeated: each once. */
  hopeless: string[]
  failed: string[]
}

/** @param loans of each kind */
export async function surviveMoneyKills(
  chaosDatabase: ChaosDatabase,
  {
    loans,
    kills,
    workMs,
    seed = randomInt(2 ** 31),
  }: { loans: number; kills: number; workMs: number; seed?: number },
): Promise<MoneyKills> {
  const processes = new ConsoleProcesses()
  const env = { ...chaosDatabase.env, PORT: String(await freePort()) }
  const starts: number[] = []
  const start = async () => {
    const started = await processes.start(env)
    starts.push(started.startMs)
    return started
  }
  try {
    const pools = await withDatabase(chaosDatabase, (database) => furnish(database, loans))
    let running = await start()
    const clients = new Clients(running.url, chaosDatabase, pools, seed)
    await clients.signIn()
    clients.start()
    for (let n = 0; n < kills; n += 1) {
      await new Promise((resume) => setTimeout(resume, workMs))
      await running.kill('SIGKILL')
      // Answers sent before the kill may still be in the callers' sockets; none arrives after this.
      await new Promise((resume) => setTimeout(resume, 50))
      const acknowledged = clients.upToNow()
      await chaosDatabase.look((database) =>
        prove(database, acknowledged, false, `seed ${seed}, after kill ${n + 1}`),
      )
      running = await start()
    }
    await new Promise((resume) => setTimeout(resume, workMs))
    await clients.stop()
    await running.kill('SIGTERM')
    await chaosDatabase.look((database) =>
      prove(database, clients.acknowledged, true, `seed ${seed}, at the end`),
    )
    expect(clients.surprises, `seed ${seed}`).toEqual([])
    return { seed, work: clients.summary(), starts }
  } finally {
    await processes.end()
  }
}

/** What was acknowledged: number of the object → its expected value. */
interface Acknowledged {
  /** Channel's number → paise. */
  payments: Map<string, number>
  booked: Set<string>
  confirmed: Set<string>
  launched: Set<string>
  approved: Set<string>
  writtenOff: Set<string>
  sentAgain: Set<string>
}

class Clients {
  readonly surprises: string[] = []
  readonly acknowledged: Acknowledged = {
    payments: new Map(),
    booked: new Set(),
    confirmed: new Set(),
    launched: new Set(),
    approved: new Set(),
    writtenOff: new Set(),
    sentAgain: new Set(),
  }
  readonly #url: string
  readonly #machine: WebMachine
  readonly #pools: Pools
  readonly #people = new Map<string, WebPerson>()
  #state: number
  #serial = 0
  #isStopped = false
  #working: Promise<unknown> | null = null
  #thrice = 0

  constructor(url: string, chaosDatabase: ChaosDatabase, pools: Pools, seed: number) {
    this.#url = url
    this.#machine = new WebMachine(url, chaosDatabase.key)
    this.#pools = pools
    this.#state = seed
  }

  async signIn(): Promise<void> {
    for (const account of ['manager', 'manager2', 'director', 'customer_service'])
      this.#people.set(account, await WebPerson.signIn(this.#url, account))
  }

  start(): void {
    const jobs = [
      () => this.#pay(),
      () => this.#pay(),
      () => this.#book(),
      () => this.#reduce(),
      () => this.#writeOff(),
      () => this.#sendAgain(),
    ]
    const client = async (n: number): Promise<void> => {
      for (let turn = n; !this.#isStopped; turn += 1)
        await (jobs[turn % jobs.length] as () => Promise<void>)()
    }
    this.#working = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))
    // Awaited when the clients stop; until then it keeps a failure.
    this.#working.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#working
  }

  upToNow(): Acknowledged {
    const { payments, booked, confirmed, launched, approved, writtenOff, sentAgain } =
      this.acknowledged
    return {
      payments: new Map(payments),
      booked: new Set(booked),
      confirmed: new Set(confirmed),
      launched: new Set(launched),
      approved: new Set(approved),
      writtenOff: new Set(writtenOff),
      sentAgain: new Set(sentAgain),
    }
  }

  summary(): string {
    return `${Object.entries(this.acknowledged)
      .map(([name, kept]) => `${kept.size} ${name}`)
      .join(', ')}, ${this.#thrice} calls three times`
  }

  async #pay(): Promise<void> {
    const serial = (this.#serial += 1)
    const [vendorOrderNo, amount] = [`V-K${serial}`, 1 + Math.floor(this.#random() * 2_000)]
    const orderId = this.#pick(this.#random() < 0.7 ? this.#pools.running : this.#pools.overdue)
    const answer = await this.#report(inboundPayment, {
      vendorOrderNo,
      orderId,
      amount,
      channel: 1,
      result: 'success',
      utr: utrOf(serial),
    })
    if (answer) this.acknowledged.payments.set(vendorOrderNo, amount)
  }

  async #book(): Promise<void> {
    const orderId = this.#pick(this.#pools.running)
    const quote = await this.#ask('customer_service', quotePayment, { orderId, type: 'partial' })
    if (!quote) return
    const booked = await this.#ask('customer_service', addRecord, {
      orderId,
      version: quote.version,
      repaymentType: 'partial',
      amount: 1 + Math.floor(this.#random() * 500),
      utr: utrOf((this.#serial += 1)),
      upi: '-',
      channel: 2,
      bankCode: 'HDFC',
      payTime: quote.asOf,
    })
    if (!booked) return
    this.acknowledged.booked.add(booked.recordId)
    // Two users act on the same money at once: one is faster.
    const confirmed = await this.#ask('manager2', confirmRecord, {
      recordId: booked.recordId,
      version: 1,
      result: 'success',
    })
    if (confirmed) this.acknowledged.confirmed.add(booked.recordId)
  }

  async #reduce(): Promise<void> {
    const orderId = this.#pick(this.#pools.overdue)
    const limit = await this.#ask('manager', reductionLimit, { orderId })
    if (!limit || limit.planId === null || limit.open.overdueFine < 1) return
    const launched = await this.#ask('manager', launchReduction, {
      orderId,
      planId: limit.planId,
      version: limit.version,
      reduceItems: { overdueFine: 1, serviceFee: 0, interest: 0 },
      validUntil: limit.validFrom,
      reason: 'Pays the rest',
    })
    if (!launched) return
    this.acknowledged.launched.add(launched.reduceId)
    const decided = await this.#ask('director', decideReductions, {
      reduceIds: [launched.reduceId],
      result: 'approved',
    })
    if (decided?.ok.includes(launched.reduceId)) this.acknowledged.approved.add(launched.reduceId)
  }

  async #writeOff(): Promise<void> {
    const orderId = this.#pools.hopeless.pop()
    if (orderId === undefined) return this.#pay()
    const quote = await this.#ask('director', writeOffQuote, { orderId })
    const done =
      quote &&
      (await this.#ask('director', launchWriteOff, {
        orderId,
        version: quote.version,
        type: 'operational',
        repaymentDate: quote.today,
        amount: quote.outstanding,
        reason: 'Cannot be found',
      }))
    if (done) this.acknowledged.writtenOff.add(orderId)
  }

  async #sendAgain(): Promise<void> {
    const orderId = this.#pools.failed.pop()
    if (orderId === undefined) return this.#book()
    const sent = await this.#ask('manager', redisburse, { orderIds: [orderId] })
    if (sent?.ok.includes(orderId)) this.acknowledged.sentAgain.add(orderId)
  }

  #ask<E extends Endpoint>(account: string, e: E, input: InputOf<E>): Promise<DataOf<E> | null> {
    const key = randomUUID()
    return this.#once(e, () =>
      steadily(() => (this.#people.get(account) as WebPerson).send(e, input, key), PATIENCE_MS),
    )
  }

  #report<E extends Endpoint>(e: E, input: InputOf<E>): Promise<DataOf<E> | null> {
    const eventId = randomUUID()
    return this.#once(e, () => steadily(() => this.#machine.send(e, input, eventId), PATIENCE_MS))
  }

  /** Once, or three times at once with equal answers. @returns null when it was refused */
  async #once<Data>(
    e: Endpoint,
    call: () => Promise<{ answer: Envelope<Data> }>,
  ): Promise<Data | null> {
    const isThrice = e.audit !== undefined && this.#random() < THRICE
    if (isThrice) this.#thrice += 1
    const answers = (await Promise.all(Array.from({ length: isThrice ? 3 : 1 }, call))).map(
      ({ answer }) => answer,
    )
    const [first] = answers as [Envelope<Data>]
    const texts = new Set(
      answers.map(({ code, data, problem }) => JSON.stringify({ code, data, problem })),
    )
    if (texts.size > 1)
      this.surprises.push(`${e.path}: one request, several answers: ${[...texts].join(' | ')}`)
    if (first.code === 200) return first.data
    if (!ORDINARY.includes(first.problem?.id ?? ''))
      this.surprises.push(`${e.path}: ${first.code} ${first.problem?.id ?? ''} ${first.msg}`)
    return null
  }

  #pick(pool: readonly string[]): string {
    return pool[Math.floor(this.#random() * pool.length)] as string
  }

  /** mulberry32: the same choices for the same seed on every machine. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function utrOf(serial: number): string {
  return String(500_000_000_000 + serial)
}

async function furnish(database: Database, loans: number): Promise<Pools> {
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.alloc(32, 1),
      log: createLogger('error'),
      version: { version: 'test', commit: 'test', build: 'test' },
      internalSecret: INTERNAL_SECRET,
      production: false,
      checkAnswers: true,
    },
    { kind: 'sandbox' },
  )
  const pools: Pools = { running: [], overdue: [], hopeless: [], failed: [] }
  for (let n = 0; n < loans; n += 1) {
    pools.running.push((await makeOrder(manage, { status: 30, amount: AMOUNT })).orderId)
    pools.overdue.push((await makeCase(manage, { overdueDays: 12, amount: AMOUNT })).orderId)
    pools.hopeless.push((await makeCase(manage, { overdueDays: 40, amount: AMOUNT })).orderId)
    pools.failed.push(
      (await makeOrder(manage, { status: 31, amount: AMOUNT, vendorCode: 'sandbox' })).orderId,
    )
  }
  await manage.close()
  return pools
}

/** @param isComplete whether every call has been answered: then there is nothing unacknowledged */
async function prove(
  database: Database,
  acknowledged: Acknowledged,
  isComplete: boolean,
  when: string,
): Promise<void> {
  expect(await differences(database, acknowledged, isComplete), when).toEqual([])
  expect(await brokenInvariants(database), when).toEqual([])
}

async function differences(
  database: Database,
  acknowledged: Acknowledged,
  isComplete: boolean,
): Promise<string[]> {
  const wrong: string[] = []
  const read = async (query: ReturnType<typeof sql>) =>
    (await query.execute(database.kysely)).rows as { id: string; n: number; state: string }[]
  const compare = (
    what: string,
    stored: { id: string; n: number; state: string }[],
    acknowledged: ReadonlyMap<string, string[]>,
  ) => {
    const byId = new Map(stored.map((row) => [row.id, row]))
    for (const [id, states] of acknowledged)
      if (!states.includes(byId.get(id)?.state ?? ''))
        wrong.push(
          `${what} ${id} was acknowledged as ${states.join(' or ')} and is ${byId.get(id)?.state ?? 'lost'}`,
        )
    for (const { id, n } of stored) if (n !== 1) wrong.push(`${what} ${id} is there ${n} times`)
    if (isComplete)
      for (const { id } of stored)
        if (!acknowledged.has(id)) wrong.push(`${what} ${id} is there and was never acknowledged`)
  }
  const all = (ids: Iterable<string>, ...states: string[]) =>
    new Map([...ids].map((id) => [id, states]))
  compare(
    'payment',
    await read(
      sql`
        select r.vendor_order_no as id, count(*)::int as n, min(r.amount || ' ' || r.pay_state) as state
          from repay_record r where r.source = 'callback' group by 1`,
    ),
    new Map([...acknowledged.payments].map(([id, amount]) => [id, [`${amount} success`]])),
  )
  const confirmed = new Map(
    [...acknowledged.booked].map((id) => [
      id,
      acknowledged.confirmed.has(id) ? ['success'] : ['inProgress', 'success'],
    ]),
  )
  compare(
    'booking',
    await read(
      sql`
        select r.id, count(*)::int as n, min(r.pay_state) as state from repay_record r
          where r.source = 'staff' group by r.id`,
    ),
    confirmed,
  )
  const reductions = await read(
    sql`select d.id, count(*)::int as n, min(d.state) as state from reduction d group by d.id`,
  )
  compare(
    'reduction',
    reductions,
    new Map(
      [...acknowledged.launched].map((id) => [
        id,
        acknowledged.approved.has(id)
          ? ['approved', 'used', 'lapsed']
          : ['pending', 'approved', 'used', 'lapsed', 'rejected'],
      ]),
    ),
  )
  compare(
    'write-off',
    await read(
      sql`
        select w.order_id as id, count(*)::int as n, min(o.status::text) as state from write_off w
          join loan_order o on o.id = w.order_id group by w.order_id`,
    ),
    all(acknowledged.writtenOff, '100'),
  )
  compare(
    'transfer',
    await read(
      sql`
        select t.order_id as id, count(*)::int as n, 'sent' as state from payout_transfer t
          where t.attempt_no = 2 group by t.order_id`,
    ),
    all(acknowledged.sentAgain, 'sent'),
  )
  // Each payment is in the books once, to the paisa.
  const books = await read(sql`
    select r.id, 1 as n, r.amount || ' <> ' || coalesce(b.cash, 0) as state from repay_record r
    left join (select e.ref_id, sum(e.debit - e.credit) as cash from ledger_entry e
      where e.account = 'cashClearing' group by e.ref_id) b on b.ref_id = r.id
    where coalesce(b.cash, 0) <> case when r.pay_state = 'success' then r.amount else 0 end`)
  for (const { id, state } of books)
    wrong.push(`payment ${id} is not in the books as it came: ${state}`)
  return wrong
}
