/**
 * A working floor for chaos tests: customers apply, reviewers claim, open, decide, release and hand
 * over, over HTTP, with retries. It records only what was acknowledged, and every answer that no
 * rule explains.
 */
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import {
  claimReviews,
  decideReview,
  listReviews,
  openReview,
  releaseReviews,
} from '#shared/review/review-api.ts'
import { decideHandover, requestHandover } from '#shared/review/review-handover-api.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import type { Ledger } from './floor-ledger.ts'
import { steadily, steadyCall, type WebMachine } from './steady.ts'
import { WebPerson } from './web-person.ts'

type Row = {
  reviewId: string
  version: number
  token: number
  state: string
  handoverState: string | null
  handoverId: string | null
  handoverToId: string | null
}

export interface DriverOptions {
  machine: WebMachine
  /** The address each user calls; may change during the run. */
  urls: readonly string[]
  accounts: readonly string[]
  ledger: Ledger
  /** Milliseconds between two applications. */
  everyMs?: number
}

/** Normal refusals: an empty queue, the claim limit, a colleague who was faster. */
const ORDINARY = ['V-EMPTY', 'V-MAX', 'V-TAKEN', 'V-STATE', 'V-DUTY']

export class FloorDriver {
  readonly #options: DriverOptions
  readonly people: WebPerson[] = []
  readonly #ids = new Map<WebPerson, string>()
  #running: Promise<unknown> | null = null
  #stopped = false
  #turn = 0

  constructor(options: DriverOptions) {
    this.#options = options
  }

  async signIn(): Promise<void> {
    for (const [n, account] of this.#options.accounts.entries()) {
      const person = await WebPerson.signIn(
        this.#options.urls[n % this.#options.urls.length] as string,
        account,
      )
      this.people.push(person)
      this.#ids.set(person, (await person.call(userInfo, {})).user.userId)
    }
  }

  start(): void {
    this.#stopped = false
    this.#running = Promise.all([
      this.#customers(),
      ...this.people.map((person) => this.#reviewer(person)),
    ])
  }

  /** All users finish what they began: each call under way is answered. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #customers(): Promise<void> {
    const { machine, ledger, everyMs = 60 } = this.#options
    while (!this.#stopped) {
      const n = ledger.nextApplicant()
      const applied = await machine.call(inboundApplication, makeApplication(n))
      if (this.#refused('application', applied)) continue
      ledger.applied(applied.data)
      const isManual = n % 5 !== 0
      const result = await machine.call(inboundMachineReview, {
        reviewId: applied.data.reviewId,
        machineId: `M${n}`,
        result: isManual ? 'undecided' : 'passed',
        needManual: isManual,
        score: 600,
        limit: 5_000_000,
        rules: [],
      })
      if (!this.#refused('machineReview', result)) ledger.queued(applied.data.reviewId)
      await new Promise((resume) => setTimeout(resume, everyMs))
    }
  }

  async #reviewer(person: WebPerson): Promise<void> {
    const me = this.#ids.get(person) as string
    while (!this.#stopped) {
      for (const row of await this.#list(person, 'handover'))
        if (row.handoverToId === me && row.handoverId !== null)
          await this.#accept(person, row.handoverId)
      for (const row of await this.#list(person, 'mine')) await this.#work(person, row)
      const claimed = await steadyCall(person, claimReviews, { count: 2 })
      if (this.#refused('claim', claimed)) await new Promise((resume) => setTimeout(resume, 100))
      else
        for (const row of claimed.data.ok)
          this.#options.ledger.claimed({ reviewId: row.reviewId, token: row.token, userId: me })
    }
  }

  async #list(person: WebPerson, tab: 'mine' | 'handover'): Promise<Row[]> {
    const answer = (await steadily(() => person.send(listReviews, { tab }))).answer
    return this.#refused('list', answer) ? [] : answer.data.rows
  }

  /** Of twenty items, two are released, two offered to a colleague, the others decided. */
  async #work(person: WebPerson, row: Row): Promise<void> {
    const { ledger } = this.#options
    const me = this.#ids.get(person) as string
    const turn = (this.#turn += 1) % 20
    if (row.handoverState === 'pending') {
      // Two reviewers at the limit who offered everything to each other would wait for ever.
      if (turn % 4 === 0 && row.handoverId !== null)
        this.#refused(
          'cancel',
          await steadyCall(person, decideHandover, {
            handoverIds: [row.handoverId],
            result: 'cancelled',
          }),
        )
      return
    }
    if (turn === 3 || turn === 13) {
      const released = await steadyCall(person, releaseReviews, {
        reviewIds: [row.reviewId],
        reason: 'a colleague knows better',
        token: row.token,
      })
      if (!this.#refused('release', released) && released.data.ok.length === 1)
        ledger.released({ reviewId: row.reviewId, token: row.token })
      return
    }
    if (turn === 7 || turn === 17) {
      const others = [...this.#ids].filter(([other]) => other !== person)
      const colleague = others[this.#turn % others.length]?.[1]
      if (colleague !== undefined)
        this.#refused(
          'handover',
          await steadyCall(person, requestHandover, {
            reviewIds: [row.reviewId],
            toUserId: colleague,
            reason: 'end of the shift',
          }),
        )
      return
    }
    const opened =
      row.state === 'toAudit'
        ? await steadyCall(person, openReview, {
            reviewId: row.reviewId,
            version: row.version,
            token: row.token,
          })
        : null
    if (opened !== null && this.#refused('open', opened)) return
    const { version, token } = opened?.data ?? row
    const isPassed = turn % 3 !== 0
    const decided = await steadyCall(person, decideReview, {
      reviewId: row.reviewId,
      version,
      token,
      result: isPassed ? 'passed' : 'failed',
      ...(isPassed ? {} : { rejectCode: 'A01' as const }),
    })
    if (!this.#refused('decide', decided))
      ledger.decided({
        reviewId: row.reviewId,
        userId: me,
        token,
        result: isPassed ? 'passed' : 'failed',
      })
  }

  async #accept(person: WebPerson, handoverId: string): Promise<void> {
    const answer = await steadyCall(person, decideHandover, {
      handoverIds: [handoverId],
      result: 'approved',
    })
    if (!this.#refused('handoverDecide', answer) && answer.data.ok.length === 1)
      this.#options.ledger.handedOver(handoverId)
  }

  /** Whether it was refused; an unexpected refusal is recorded. */
  #refused(call: string, answer: Envelope<unknown>): boolean {
    if (answer.code === 200) return false
    if (!ORDINARY.includes(answer.problem?.id ?? ''))
      this.#options.ledger.surprises.push(
        `${call}: ${answer.code} ${answer.problem?.id ?? ''} ${answer.msg}`,
      )
    return true
  }
}
