/**
 * Borrowers and the systems that act for them: applications, answers of the machine review,
 * payments and tickets.
 */
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { inboundApp } from '#shared/products/apps-api.ts'
import { PREPAYMENT_EFFECTS } from '#shared/repayments/emi/prepayment-effects.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import { inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import { FEMALE, MALE, SURNAMES } from '#gateway/manage/demo/lists.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import type { WebMachine } from '#tests/support/steady.ts'
import type { WebPerson } from '#tests/support/web-person.ts'
import { machineCall, pick } from './person-at-work.ts'
import type { Tally } from './tally.ts'

type App = DataOf<typeof inboundApp>
/** An EMI product of an app. */
type Offer = { appId: string; productId: string } & NonNullable<App['products'][number]['emi']>

interface Loan {
  orderId: string
  userId: string
  outstanding: number
  isEmi: boolean
}
interface Terms {
  appId: string
  channelId: string
  productId: string
  amount: number
  kfsVersion: string
  instalments?: number
}

/** Of five applications four need a reviewer. */
const MANUAL_SHARE = 0.8
/** Of ten applications, and of ten payments, one is of equated monthly instalments. */
const EMI_SHARE = 0.1
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const PAGE = 200

export class Customers {
  readonly #machine: WebMachine
  readonly #tally: Tally
  readonly #clerk: WebPerson
  readonly #waiting: string[] = []
  #terms: readonly Terms[] = []
  #emi: readonly Offer[] = []
  #loans: Loan[] = []
  #page = 0
  #reading: Promise<void> | null = null
  /** A hundred new customers a second since this instant: no two runs use the same one. */
  #next = Math.floor(Date.now() / 10) % 90_000_000

  /** @param clerk reads which loans there are; borrowers know their own */
  constructor(machine: WebMachine, tally: Tally, clerk: WebPerson) {
    this.#machine = machine
    this.#tally = tally
    this.#clerk = clerk
  }

  /** Products that can be applied for: as existing orders were, and what the apps offer in EMI. */
  async open(): Promise<void> {
    const { channels } = await this.#clerk.call(orderOptions, {})
    const { rows } = await this.#clerk.call(listOrders, { pageSize: PAGE })
    const emi = await Promise.all(
      [...new Set(rows.map(({ appId }) => appId))].map((appId) => this.#emiOf(appId)),
    )
    this.#emi = emi.flat()
    this.#terms = rows
      .filter(({ productId }) => !this.#isEmi(productId))
      .map(({ appId, productId, amount, kfsVersion }) => ({
        appId,
        productId,
        amount,
        kfsVersion: kfsVersion ?? 'KFS-1',
        channelId: pick(channels)?.id ?? '',
      }))
    await this.#readLoans()
    // there are few of them, somewhere in the list
    for (const { productId } of this.#emi)
      this.#add(await this.#clerk.call(listOrders, { status: '30,50', productId, pageSize: PAGE }))
  }

  async #emiOf(appId: string): Promise<Offer[]> {
    const app = await machineCall(this.#tally, this.#machine, 'app', inboundApp, { appId })
    return (app?.products ?? []).flatMap(({ productId, emi }) =>
      emi === null ? [] : [{ appId, productId, ...emi }],
    )
  }

  #isEmi(productId: string): boolean {
    return this.#emi.some((offer) => offer.productId === productId)
  }

  /** The least amount of the product in one of its numbers of instalments. */
  #emiTerms(): Terms | undefined {
    const [like, offer] = [pick(this.#terms), pick(this.#emi)]
    const instalments = pick(offer?.instalments ?? [])
    if (like === undefined || offer === undefined || instalments === undefined) return like
    const { appId, productId, minAmount: amount } = offer
    return { ...like, appId, productId, amount, instalments }
  }

  apply = async (): Promise<boolean> => {
    const reviewId = this.#waiting.shift()
    if (reviewId !== undefined) return this.#machineReview(reviewId)
    const terms = Math.random() < EMI_SHARE ? this.#emiTerms() : pick(this.#terms)
    if (!terms) return false
    const n = (this.#next += 1)
    const name = `${pick([...MALE, ...FEMALE])} ${pick(SURNAMES)}`
    const digits = String(n % 10_000).padStart(4, '0')
    const start = `${letter(n)}${letter(n / 26)}${letter(n / 676)}P${letter(n / 17_576)}`
    const pan = `${start}${digits}${letter(n / 7)}`
    const answer = await machineCall(
      this.#tally,
      this.#machine,
      'application',
      inboundApplication,
      {
        ...makeApplication(n, {
          ...terms,
          customer: { name, panName: name, phone: String(7_100_000_000 + n), pan },
          bankCard: { holder: name },
        }),
        contacts: [1, 2, 3].map((i) => ({
          relation: 'friend',
          name: `${pick(MALE)} ${pick(SURNAMES)}`,
          phone: String(8_000_000_000 + n * 10 + i),
        })),
      },
    )
    if (answer) this.#waiting.push(answer.reviewId)
    return true
  }

  async #machineReview(reviewId: string): Promise<boolean> {
    const needManual = Math.random() < MANUAL_SHARE
    await machineCall(this.#tally, this.#machine, 'machine review', inboundMachineReview, {
      reviewId,
      machineId: `M${reviewId}`,
      result: needManual ? 'undecided' : 'passed',
      needManual,
      score: 540 + Math.floor(Math.random() * 260),
      limit: 20_000_000,
      priority: Math.floor(Math.random() * 100),
      rules: [{ code: 'R07', name: 'Name differs between PAN and bank', hit: needManual }],
    })
    return true
  }

  /** Most pay a part, some all, and a few payments fail. */
  pay = async (): Promise<boolean> => {
    if (this.#loans.length < PAGE / 4) void this.#readLoans()
    const emi = Math.random() < EMI_SHARE ? this.#loans.findIndex(({ isEmi }) => isEmi) : -1
    const at = emi >= 0 ? emi : Math.floor(Math.random() * this.#loans.length)
    const loan = this.#loans[at]
    if (!loan) return false
    if (loan.isEmi) return this.#payEmi(loan, at)
    const luck = Math.random()
    const amount =
      luck < 0.1 || loan.outstanding < 20_000
        ? loan.outstanding
        : Math.max(10_000, Math.floor(loan.outstanding * (0.05 + Math.random() * 0.2)))
    // One payment of a loan at a time: a payment channel sends them in order.
    this.#loans.splice(at, 1)
    const failed = luck > 0.95
    const answer = await machineCall(
      this.#tally,
      this.#machine,
      failed ? 'failed payment' : 'payment',
      inboundPayment,
      {
        ...paymentOf(loan, amount),
        ...(failed ? { result: 'fail', failReason: 'Declined by the bank' } : received()),
      },
    )
    if (answer && loan.outstanding > amount)
      this.#loans.push(failed ? loan : { ...loan, outstanding: loan.outstanding - amount })
    return true
  }

  /** Most pay the next instalment, some pay ahead of the plan, and a few pay all of it back. */
  async #payEmi(loan: Loan, at: number): Promise<boolean> {
    this.#loans.splice(at, 1)
    const { orderId } = loan
    const luck = Math.random()
    const quote = await this.#clerk.send(quotePayment, { orderId, type: 'full' }).catch(() => null)
    const detail = await this.#clerk.send(orderDetail, { orderId }).catch(() => null)
    if (quote?.code !== 200 || detail?.code !== 200) return false
    const { amountDue } = quote.data
    const next = detail.data.plans
      .filter(({ outstanding }) => outstanding > 0)
      .toSorted((one, other) => (one.dueTime < other.dueTime ? -1 : 1))[0]
    const isAhead = luck > 0.75 && luck < 0.95
    const kind = luck >= 0.95 ? 'EMI foreclosure' : isAhead ? 'EMI prepayment' : 'EMI payment'
    const amount =
      luck >= 0.95
        ? amountDue
        : isAhead
          ? Math.max(100, Math.floor(amountDue * (0.1 + Math.random() * 0.2)))
          : Math.min(next?.outstanding ?? amountDue, amountDue)
    const effect = pick(PREPAYMENT_EFFECTS)
    const answer = await machineCall(this.#tally, this.#machine, kind, inboundPayment, {
      ...paymentOf(loan, amount),
      ...received(),
      ...(isAhead && effect !== undefined ? { ahead: effect } : {}),
    })
    if (answer && amount < amountDue) this.#loans.push(loan)
    return true
  }

  /**
   * About using the app, the payout, a payment or something else; complaints hold cases, so are
   * rare.
   */
  write = async (): Promise<boolean> => {
    const loan = pick(this.#loans)
    if (!loan) return false
    await machineCall(this.#tally, this.#machine, 'ticket', inboundFeedback, {
      userId: loan.userId,
      orderId: loan.orderId,
      type: pick([1, 1, 2, 3, 3, 6, 6, 6, 6, 5] as const) ?? 6,
      content: 'Please tell me what I still owe and by when.',
      contactWay: 'phone',
    })
    return true
  }

  #readLoans(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }
  async #read(): Promise<void> {
    const answer = await this.#clerk
      .send(listOrders, { status: '30,50', pageSize: PAGE, pageNum: (this.#page += 1) })
      .catch(() => null)
    if (answer?.code !== 200) return
    if (answer.data.rows.length < PAGE) this.#page = 0
    this.#add(answer.data)
  }

  #add({ rows }: DataOf<typeof listOrders>): void {
    const known = new Set(this.#loans.map((loan) => loan.orderId))
    this.#loans.push(
      ...rows
        .filter((row) => row.outstanding > 0 && !known.has(row.orderId))
        .map(({ orderId, userId, outstanding, productId }) => ({
          orderId,
          userId,
          outstanding,
          isEmi: this.#isEmi(productId),
        })),
    )
  }
}

function paymentOf({ orderId }: Loan, amount: number) {
  return {
    vendorOrderNo: `F${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`,
    orderId,
    amount,
    channel: 1,
    bankCode: 'HDFC',
  }
}

function received() {
  return { result: 'success', utr: String(Math.floor(1e11 + Math.random() * 9e11)) } as const
}

function letter(n: number): string {
  return LETTERS[Math.floor(n) % LETTERS.length] as string
}
