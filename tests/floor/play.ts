/**
 * Runs the floor: a number of steps a second, each by a user who is free. When one kind of user has
 * nothing to do (an empty queue, nobody left to call), another kind takes the step.
 */
import { listCases } from '#shared/collection/cases-api.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { listReviews } from '#shared/review/review-api.ts'
import { serverTime } from '#shared/session/session-api.ts'
import type { MachineKey } from '#gateway/manage/kernel/machine.ts'
import { WebMachine } from '#tests/support/steady.ts'
import { WebPerson } from '#tests/support/web-person.ts'
import { Clerk } from './clerks.ts'
import { Collector } from './collectors.ts'
import { Customers } from './customers.ts'
import { Listeners } from './listeners.ts'
import { Leader } from './leaders.ts'
import { AtWork, type Step } from './person-at-work.ts'
import { Reviewer } from './reviewers.ts'
import { type StaffMember, staffOf } from './staff.ts'
import { ms, Tally } from './tally.ts'
import { Telemarketer } from './telemarketers.ts'

export interface FloorGiven {
  url: string
  /** Steps a second. */
  rate: number
  sockets: number
  /** How many of the demo staff sign in. */
  people: number
  password: string
  /** Keys of the customer app, the machine review and the payment channel; null = no customers. */
  key: MachineKey | null
  /** Called with each message. */
  print: (line: string) => void
}

/** A user has ten sockets at most; one is kept for the audit. */
const EARS_EACH = 9
const IN_FLIGHT = 200
const TICK_MS = 20
/** Longer than the edge's heartbeat, which sends every socket the current seq. */
const QUIET_MS = 12_000
/** Share of the steps of each kind while it has something to do. */
const SHARES = {
  apply: 20,
  pay: 17,
  write: 3,
  review: 24,
  collect: 14,
  lead: 7,
  serve: 6,
  tele: 8,
  look: 9,
} as const
type Share = keyof typeof SHARES

export class Floor {
  readonly tally = new Tally()
  readonly listeners = new Listeners()
  readonly #given: FloorGiven
  readonly #people = new Map<Share, AtWork[]>()
  #customers: Customers | null = null
  #count = 0
  #inFlight = 0
  #held = 0
  #steps = 0
  #workedMs = 0
  #stopped = false
  #arrivals: Promise<void> = Promise.resolve()
  #working: Promise<void> = Promise.resolve()

  constructor(given: FloorGiven) {
    this.#given = given
  }

  /**
   * Resolves when the first users of each kind have signed in; the others follow during the run, as
   * fast as the sign-in limit allows.
   */
  async open(): Promise<void> {
    const { url, key, print } = this.#given
    const staff = staffOf(this.#given.people)
    const clerk = await this.#arrive(staff.shift() as StaffMember)
    this.listeners.clockAheadMs = await clockAhead(clerk.person)
    if (key) {
      this.#customers = new Customers(new WebMachine(url, key), this.tally, clerk.person)
      await this.#customers.open()
    } else
      print(
        'Nobody calls in for the customers: there is no machine key (see the README of the tests).',
      )
    this.#arrivals = (async () => {
      for (const member of staff) {
        if (this.#stopped) return
        await this.#arrive(member)
      }
      print(`${this.#count} people are there, ${this.listeners.sockets} sockets listen.`)
    })()
    this.#working = this.#work()
  }

  /** Resolves when all users have signed in. */
  allThere(): Promise<void> {
    return this.#arrivals
  }

  /** All users finish what they began; the last events arrive and are compared with the log. */
  async close(): Promise<void> {
    this.#stopped = true
    await this.#arrivals
    await this.#working
    while (this.#inFlight > 0) await pause(TICK_MS)
    await pause(QUIET_MS)
    this.sockets = this.listeners.sockets
    await this.listeners.end()
  }
  sockets = 0

  get now(): string {
    const { sockets, travelled, lost, twice } = this.listeners
    return [
      `${this.#steps} steps, ${this.tally.errors} errors, ${sockets} sockets`,
      `${travelled.count} deliveries, p99 ${ms(travelled.at(0.99))} ms, lost ${lost}, twice ${twice}`,
    ].join(', ')
  }

  /** Whether nothing was lost, repeated or failed. */
  get isSound(): boolean {
    return (
      this.tally.errors === 0 &&
      this.listeners.lost === 0 &&
      this.listeners.twice === 0 &&
      this.listeners.phantom === 0
    )
  }

  table(): string {
    const { travelled, lost, twice, phantom, audits, cameBack, messages } = this.listeners
    const perSecond = (this.#steps / Math.max(1, this.#workedMs / 1_000)).toFixed(1)
    const delayed = this.#held === 0 ? '' : `, ${this.#held} held back by slow answers`
    const minutes = (this.#workedMs / 60_000).toFixed(1)
    const deliveries = travelled.count.toLocaleString('en-US')
    const reconnects = cameBack === 0 ? '' : `; reconnected ${cameBack} times`
    const others = messages === '' ? '' : `; messages ${messages}`
    return [
      `${this.#count} people, ${this.sockets} sockets, ${minutes} min at ${perSecond} steps/s ` +
        `(wanted ${this.#given.rate}${delayed})`,
      '',
      this.tally.table(),
      '',
      `commit → socket: p50 ${ms(travelled.at(0.5))} ms, p99 ${ms(travelled.at(0.99))} ms, ` +
        `slowest ${ms(Math.round(travelled.max))} ms, ${deliveries} deliveries`,
      `compared with the log ${audits} times: lost ${lost}, twice ${twice}, not entitled ${phantom}` +
        `${reconnects}${others}`,
    ].join('\n')
  }

  async #arrive(member: StaffMember): Promise<AtWork> {
    const { url, password, sockets, people } = this.#given
    const person = await signIn(url, member.account, password)
    const at = this.#atWork(member, person)
    const kin = this.#people.get(member.works) ?? []
    kin.push(at)
    this.#people.set(member.works, kin)
    const lookers = this.#people.get('look') ?? []
    if (member.works !== 'look') lookers.push(at)
    this.#people.set('look', lookers)
    if (at instanceof Reviewer) await at.begin()
    this.#count += 1
    // Spread evenly: the n-th user opens their share of the sockets.
    const due =
      Math.floor((sockets * this.#count) / people) -
      Math.floor((sockets * (this.#count - 1)) / people)
    await this.listeners.open(person, Math.min(EARS_EACH, due))
    return at
  }

  #atWork(member: StaffMember, person: WebPerson): AtWork {
    if (member.works === 'review') return new Reviewer(person, this.tally)
    if (member.works === 'collect') return new Collector(person, this.tally)
    if (member.works === 'serve') return new Clerk(person, this.tally)
    if (member.segment !== undefined) return new Telemarketer(person, this.tally, member.segment)
    if (member.works === 'lead') return new Leader(person, this.tally, member.runs)
    return new Looker(person, this.tally)
  }

  async #work(): Promise<void> {
    const begun = performance.now()
    let issued = 0
    while (!this.#stopped) {
      await pause(TICK_MS)
      this.#workedMs = performance.now() - begun
      const due = (this.#workedMs / 1_000) * this.#given.rate
      // A delayed floor does not catch up all at once.
      issued = Math.max(issued, due - this.#given.rate)
      for (; issued + 1 <= due; issued += 1) {
        if (this.#inFlight >= IN_FLIGHT) this.#held += 1
        else this.#next()
      }
    }
  }

  #next(): void {
    this.#inFlight += 1
    this.#steps += 1
    void this.#someone().finally(() => (this.#inFlight -= 1))
  }

  /** By the shares; a kind with nothing to do passes the step on. */
  async #someone(): Promise<void> {
    const left = new Map<Share, number>(Object.entries(SHARES) as [Share, number][])
    while (left.size > 0) {
      const share = byWeight(left)
      left.delete(share)
      const step = this.#stepOf(share)
      if (step && (await step())) return
    }
  }

  #stepOf(share: Share): Step | null {
    if (share === 'apply') return this.#customers?.apply ?? null
    if (share === 'pay') return this.#customers?.pay ?? null
    if (share === 'write') return this.#customers?.write ?? null
    const free = (this.#people.get(share) ?? []).filter((one) => one.isFree)
    const one = free[Math.floor(Math.random() * free.length)]
    if (!one) return null
    return share === 'look' ? () => one.turn(() => look(one)) : () => one.turn()
  }
}

/** Roles whose work is not simulated: they open their screens. */
class Looker extends AtWork {
  step(): Promise<boolean> {
    return look(this)
  }
}

const LOOKS: [Endpoint, InputOf<Endpoint>][] = [
  [listOrders, { pageSize: 50 }],
  [listReviews, { tab: 'all', pageSize: 50 }],
  [listCases, { tab: 'toFollow', pageSize: 50 }],
]
/** A list that the user may open; determined once. */
async function look(at: AtWork): Promise<boolean> {
  const open = opens.get(at) ?? LOOKS
  const chosen = open[Math.floor(Math.random() * open.length)]
  if (!chosen) return false
  const [endpoint, input] = chosen
  const begun = performance.now()
  const answer = await at.person.send(endpoint, input).catch(() => null)
  if (answer === null) return false
  if (answer.code === 403) {
    opens.set(
      at,
      open.filter((one) => one !== chosen),
    )
    return false
  }
  at.tally.answered('look', answer, performance.now() - begun)
  return true
}
const opens = new WeakMap<AtWork, typeof LOOKS>()

function byWeight(weights: ReadonlyMap<Share, number>): Share {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let at = Math.random() * total
  for (const [share, weight] of weights) {
    at -= weight
    if (at < 0) return share
  }
  return [...weights.keys()][0] as Share
}

/** Waits when an address has reached the sign-in limit. */
async function signIn(url: string, account: string, password: string): Promise<WebPerson> {
  for (;;) {
    try {
      return await WebPerson.signIn(url, account, password)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('G-RATE')) throw error
      await pause(1_000)
    }
  }
}

/** Half of the round trip is subtracted. */
async function clockAhead(person: WebPerson): Promise<number> {
  const asked = Date.now()
  const { time } = await person.call(serverTime, {})
  const answered = Date.now()
  return Math.round((asked + answered) / 2 - Date.parse(time))
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds))
}
