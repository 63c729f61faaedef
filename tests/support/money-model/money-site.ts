/**
 * The product beside the model: manage with its database, machines that sign, signed-in users, and
 * a clock that is moved day by day.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import { addCoupon, grantCoupon, revokeGrants } from '#shared/coupons/coupons-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import {
  bookStrayReturn,
  cancelDisbursement,
  redisburse,
  resolveTransfer,
} from '#shared/orders/disbursement-api.ts'
import {
  inboundApplication,
  inboundCancel,
  inboundMachineReview,
  inboundPayout,
} from '#shared/orders/inbound-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  decideReductions,
  launchReduction,
  revokeReduction,
  withdrawReduction,
} from '#shared/repayments/reductions-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import {
  addRecord,
  confirmRecord,
  keepRecord,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { batchWriteOff, launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { claimReviews, decideReview, openReview } from '#shared/review/review-api.ts'
import { login } from '#shared/session/session-api.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Manage } from '#gateway/manage/core.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { couponExpire } from '#gateway/manage/features/coupons/coupon-expire-job.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { payoutDispatch } from '#gateway/manage/features/orders/payout-dispatch-job.ts'
import { openDay } from '#gateway/manage/features/repayments/open-day-job.ts'
import { reduceExpire } from '#gateway/manage/features/repayments/reductions/reduce-expire-job.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { testDatabase } from '#tests/support/database.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { addAccounts, PASSWORD, request } from '#tests/support/manage.ts'
import { foldFaults } from './fold-faults.ts'
import { type Known, readOrders, type Stored } from './stored-orders.ts'
import { type Action, BORROWERS, COUPONS, EXTENSION, PENALTIES, TERMS } from './actions.ts'

/** Of each borrower: they differ in their fines. */
const PRODUCTS = PENALTIES.map((_, n) => `PRM${n}`)
const reason = 'As the model says'
const STAFF = ['manager', 'manager2', 'director', 'customer_service', 'reviewer'] as const
type Account = (typeof STAFF)[number]

export class MoneySite {
  readonly #manage: Manage
  readonly #database: Database
  readonly #clock: TestClock
  readonly #close: () => Promise<void>
  readonly #machine: Machine
  readonly #tokens = new Map<Account, string>()
  readonly #firstDay: string
  #today: number
  #people = 0
  #payments = 0
  /** Made at the bank by hand. */
  #transfers = 0
  #orders: (string | null)[] = []
  #known: (Known | null)[] = []
  #coupons: string[] = []
  /** State of each order when it was folded last. */
  #folded: string[] = []

  private constructor(
    manage: Manage,
    database: Database,
    close: () => Promise<void>,
    clock: TestClock,
    machine: Machine,
  ) {
    this.#manage = manage
    this.#database = database
    this.#clock = clock
    this.#machine = machine
    this.#firstDay = istDay(Date.now())
    this.#today = 0
    this.#close = async () => {
      await manage.close()
      await close()
    }
  }

  static async open(): Promise<MoneySite> {
    const { database, close } = await testDatabase()
    const clock = await testClock(database)
    const manage = await buildManage(
      {
        database,
        masterKey: Buffer.alloc(32, 1),
        log: createLogger('silent'),
        version: { version: 'test', commit: 'test', build: 'test' },
        internalSecret: randomUUID(),
        production: false,
        checkAnswers: true,
      },
      { kind: 'none' },
    )
    // nobody listens: the relay would publish after every command
    Object.assign(manage.context, { wakeRelay: () => undefined })
    await syncRolesAndMenus(database, manage.parts.menus)
    await addAccounts(database)
    for (const [n, id] of PRODUCTS.entries()) {
      await makeProduct(manage, {
        id,
        periods: TERMS.periods,
        daysPerPeriod: TERMS.daysPerPeriod,
        serviceRate: TERMS.serviceRate,
        dailyRate: TERMS.dailyRate,
        coolingOffDays: TERMS.coolingOffDays,
      })
      const extend = { ...EXTENSION, enabled: true, feeType: 'rate' }
      await sql`
        update product set extend = ${JSON.stringify(extend)}::jsonb,
          penalty = ${JSON.stringify(PENALTIES[n])}::jsonb where id = ${id}`.execute(
        database.kysely,
      )
    }
    // Sessions outlast the years that pass; bad debt after days instead of months; a request
    // expires as in the model.
    await sql`
      update sys_config set value = '50000000'
        where code in ('session.idleMinutes', 'session.idleMinutesAdmin', 'session.absoluteHours',
        'session.renewMinutes')`.execute(database.kysely)
    await sql`
      update sys_config set value = case code when 'order.badDebtDays' then ${String(TERMS.badDebtDays)}
        else '1000000' end where code in ('order.badDebtDays', 'approval.hours')`.execute(
      database.kysely,
    )
    const machine = await machineOf({ context: manage.context, manage }, [
      'application',
      'machineReview',
      'payout',
      'payment',
    ])
    const site = new MoneySite(manage, database, close, clock, machine)
    for (const account of STAFF) {
      const answer = (
        await request(manage.app, login, { username: account, password: PASSWORD }, {})
      ).json<Envelope<{ token: string }>>()
      site.#tokens.set(account, answer.data.token)
    }
    await site.#passDays(0)
    site.#coupons = await site.#makeCoupons()
    return site
  }

  get database(): Database {
    return this.#database
  }
  get today(): number {
    return this.#today
  }
  get payments(): number {
    return this.#payments
  }

  close(): Promise<void> {
    return this.#close()
  }

  /** Other borrowers, and another day. */
  async begin(): Promise<void> {
    this.#people += BORROWERS
    this.#orders = Array.from({ length: BORROWERS }, () => null)
    this.#known = []
    this.#folded = []
    await this.#passDays(1)
  }

  /**
   * @param isThrice sent three times at once with one key: one effect, one answer
   * @returns `ok` or the id of the refusal
   */
  async perform(action: Action, isThrice: boolean): Promise<string> {
    if (action.kind === 'day') return this.#passDays(action.days)
    if (action.kind === 'dispatch') {
      await payoutDispatch.run(this.#manage.context)
      return 'ok'
    }
    if (action.kind === 'apply') return this.#apply(action.borrower, action.amount, isThrice)
    const known = this.#known[action.borrower]
    if (!known) throw new Error(`borrower ${action.borrower} has no order`)
    const { orderId, version } = known
    const ask = (who: Account, e: Endpoint, input: Record<string, unknown>) =>
      this.#ask(who, e, input, isThrice)
    const tell = (e: Endpoint, input: Record<string, unknown>) => this.#tell(e, input, isThrice)
    switch (action.kind) {
      case 'judge': {
        const { result } = action
        return tell(inboundMachineReview, {
          reviewId: known.reviewId,
          machineId: 'M1',
          result,
          needManual: result === 'undecided',
          rules: [],
          ...(result === 'failed' ? { refusalCode: 'R01' } : {}),
          ...(result === 'limitFailed' ? { limit: 100 } : {}),
        })
      }
      case 'review':
        return this.#review(known, action.result, isThrice)
      case 'payout':
      case 'contradictPayout':
        return tell(inboundPayout, {
          platformOrderNo: `${orderId}-${action.attempt}`,
          vendorOrderNo: `V-${orderId}-${action.attempt}`,
          result: action.result,
          ...(action.result === 'success'
            ? { utr: '123456789012' }
            : { failReason: 'Beneficiary account closed' }),
        })
      case 'cancel':
        return tell(inboundCancel, { orderId, reason })
      case 'redisburse':
        return ask('manager', redisburse, { orderIds: [orderId] })
      case 'cancelDisbursement':
        return ask('manager', cancelDisbursement, { orderIds: [orderId], reason })
      case 'batchWriteOff':
        return ask('manager', batchWriteOff, { orderIds: [orderId], reason })
      case 'pay': {
        const { payment, amount, day, result, utrOf } = action
        this.#payments = Math.max(this.#payments, payment + 1)
        const utr = utrOf === null ? utrOfPayment(payment) : utrOfPayment(utrOf)
        const payTime = day === null ? {} : { payTime: this.#instant(day) }
        return tell(inboundPayment, {
          vendorOrderNo: `V-${payment}`,
          orderId,
          amount,
          channel: 1,
          result,
          ...(result === 'fail' ? { failReason: 'No balance' } : {}),
          ...(result === 'success' || utrOf !== null ? { utr } : {}),
          ...payTime,
        })
      }
      case 'grant':
        return ask('manager', grantCoupon, {
          couponId: this.#coupons[action.coupon],
          userIds: [await this.#customerOf(orderId)],
        })
      case 'revokeCoupon':
        return ask('manager', revokeGrants, {
          grantIds: [known.coupons[action.coupon]?.id],
          reason,
        })
      case 'book': {
        const { payment, who, type, amount, day, utrOf, coupon } = action
        this.#payments = Math.max(this.#payments, payment + 1)
        const paid = {
          orderId,
          version,
          amount,
          utr: utrOfPayment(utrOf ?? payment),
          upi: '-',
          channel: 2,
          bankCode: 'HDFC',
          payTime: day === null ? await this.#now() : this.#instant(day),
        }
        return type === 'coolingOff'
          ? ask(who, exitCoolingOff, paid)
          : ask(who, addRecord, {
              ...paid,
              repaymentType: type,
              ...(coupon === null ? {} : { couponGrantId: known.coupons[coupon]?.id }),
            })
      }
      case 'confirm': {
        const { id: recordId, version: recordVersion } = await this.#record(action.payment)
        const outcome = await ask(action.who, confirmRecord, {
          recordId,
          version: recordVersion,
          result: action.result,
          ...(action.result === 'fail' ? { failReason: 'Never arrived' } : {}),
        })
        if (action.type === 'rollover')
          this.#orders[action.borrower] = await this.#successorOf(orderId)
        return outcome
      }
      case 'launch':
        return ask('manager', launchReduction, {
          orderId,
          planId: known.planId ?? 'P0',
          version,
          reduceItems: { overdueFine: action.fine, serviceFee: 0, interest: action.interest },
          validUntil: this.#day(this.#today + action.days),
          reason,
        })
      case 'decide':
        return ask(action.who, decideReductions, {
          reduceIds: [known.reduction?.id],
          result: action.result,
          reason,
        })
      case 'revoke':
        return ask(action.who, revokeReduction, {
          reduceId: known.reduction?.id,
          version: known.reduction?.version,
          reason,
        })
      case 'withdraw':
        return ask(action.who, withdrawReduction, {
          reduceId: known.reduction?.id,
          version: known.reduction?.version,
        })
      case 'writeOff':
        return ask(action.who, launchWriteOff, {
          orderId,
          version,
          type: 'operational',
          repaymentDate: this.#day(this.#today),
          amount: action.amount,
          reason,
        })
      case 'reverse': {
        const { id: recordId, version: recordVersion } = await this.#record(action.payment)
        return ask('manager', reverseRecord, {
          recordId,
          version: recordVersion,
          cause: 'bounced',
          reason,
        })
      }
      case 'cure':
        return ask('manager', cureOrder, {
          orderId,
          version,
          plan: action.rows.map(({ due, amount }) => ({ dueTime: this.#day(due), amount })),
          reason,
        })
      case 'contradict': {
        const { amount } = await this.#record(action.payment)
        return tell(inboundPayment, {
          vendorOrderNo: `V-${action.payment}`,
          orderId,
          amount,
          channel: 1,
          result: action.result,
          ...(action.result === 'fail'
            ? { failReason: 'Recalled' }
            : { utr: utrOfPayment(action.payment) }),
        })
      }
      case 'keep': {
        const { id: recordId, version: recordVersion } = await this.#record(action.payment)
        return ask('manager', keepRecord, { recordId, version: recordVersion, reason })
      }
      case 'resolve': {
        const transfer = known.transfers[action.attempt - 1]
        this.#transfers += 1
        return ask('manager', resolveTransfer, {
          transferId: transfer?.id,
          version: transfer?.version,
          outcome: action.type,
          utr: String(600_000_000_000 + this.#transfers),
          reason,
        })
      }
      case 'returnStray': {
        const transfer = known.transfers[action.attempt - 1]
        this.#transfers += 1
        return ask('manager', bookStrayReturn, {
          transferId: transfer?.id,
          version: transfer?.version,
          amount: action.amount,
          utr: String(600_000_000_000 + this.#transfers),
          reason,
        })
      }
      case 'decideRequest': {
        const { id, version: requestVersion } = known.requests[action.request] as {
          id: string
          version: number
        }
        const outcome = await ask(action.who, decideApproval, {
          approvalId: id,
          version: requestVersion,
          result: action.result,
          reason,
        })
        // A batch is processed row by row, in the background.
        await this.#manage.settle()
        return outcome
      }
    }
  }

  /** Everything the model knows, read from the tables. */
  async stored(): Promise<(Stored | null)[]> {
    const read = await readOrders(this.#database, this.#orders)
    this.#known = read.map((order) => order?.known ?? null)
    return read.map((order) => order?.stored ?? null)
  }

  /**
   * Loans whose books differ from the fold over their history.
   * @param stored as read just now: what did not change is not folded again
   */
  async foldFaults(stored: readonly (Stored | null)[]): Promise<string[]> {
    const day = this.#day(this.#today)
    const states = stored.map((one) => JSON.stringify([day, one]))
    const changed = this.#orders.filter((id, n) => id !== null && states[n] !== this.#folded[n])
    this.#folded = states
    return foldFaults(
      this.#database,
      changed.filter((id) => id !== null),
      day,
    )
  }

  async #apply(borrower: number, amount: number, isThrice: boolean): Promise<string> {
    const n = this.#people + borrower
    const outcome = await this.#tell(
      inboundApplication,
      makeApplication(n, {
        productId: PRODUCTS[borrower] ?? '',
        amount,
        kfsAcceptTime: await this.#now(),
      }),
      isThrice,
    )
    if (outcome !== 'ok') return outcome
    const { rows } = await sql<{
      id: string
    }>`
      select o.id from loan_order o join customer c on c.id = o.customer_id
      where c.name = ${`Ravi Kumar ${n}`} order by o.created_at desc limit 1`.execute(
      this.#database.kysely,
    )
    this.#orders[borrower] = rows[0]?.id ?? null
    return 'ok'
  }

  async #review(
    { reviewId }: Known,
    result: 'passed' | 'failed',
    isThrice: boolean,
  ): Promise<string> {
    const claimed = await this.#ask('reviewer', claimReviews, { reviewIds: [reviewId] }, isThrice)
    if (claimed !== 'ok') return claimed
    const at = async () =>
      (
        await sql<{
          version: number
          token: number
        }>`select r.version, r.token from review r where r.id = ${reviewId}`.execute(
          this.#database.kysely,
        )
      ).rows[0]
    await this.#ask('reviewer', openReview, { reviewId, ...(await at()) }, isThrice)
    const decided = await this.#ask(
      'reviewer',
      decideReview,
      { reviewId, ...(await at()), result, ...(result === 'failed' ? { rejectCode: 'A01' } : {}) },
      isThrice,
    )
    await this.#manage.settle()
    return decided
  }

  async #passDays(days: number): Promise<string> {
    // A clock is never set back.
    if (days === 0 && this.#today > 0) return 'ok'
    this.#today += days
    await this.#clock.to('11:00', this.#day(this.#today))
    const { context } = this.#manage
    await openDay([openDayCases]).run(context)
    await reduceExpire([casePaid]).run(context)
    await couponExpire.run(context)
    return 'ok'
  }

  async #ask(
    who: Account,
    e: Endpoint,
    input: Record<string, unknown>,
    isThrice: boolean,
  ): Promise<string> {
    const headers = { authorization: this.#tokens.get(who) ?? '', 'idempotency-key': randomUUID() }
    return outcomeOf(
      await Promise.all(
        Array.from({ length: isThrice ? 3 : 1 }, () =>
          request(this.#manage.app, e, input, headers),
        ),
      ),
    )
  }

  async #tell(e: Endpoint, input: Record<string, unknown>, isThrice: boolean): Promise<string> {
    const eventId = randomUUID()
    return outcomeOf(
      await Promise.all(
        Array.from({ length: isThrice ? 3 : 1 }, () => this.#machine.send(e, input, { eventId })),
      ),
    )
  }

  async #makeCoupons(): Promise<string[]> {
    const ids: string[] = []
    for (const [n, { part, rate, most, least, days }] of COUPONS.entries()) {
      const answer = await request(
        this.#manage.app,
        addCoupon,
        {
          name: `Coupon ${n}`,
          type: 'reduction',
          amountType: rate === null ? 'fixed' : 'rate',
          preferentialType: part === 'fine' ? 'overdueFine' : 'interest',
          discountAmount: most,
          ...(rate === null ? {} : { rate }),
          minAmount: least,
          validDays: days,
        },
        { authorization: this.#tokens.get('manager') ?? '', 'idempotency-key': randomUUID() },
      )
      ids.push(answer.json<Envelope<{ couponId: string }>>().data.couponId)
    }
    return ids
  }

  async #customerOf(orderId: string): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      select o.customer_id as id from loan_order o where o.id = ${orderId}`.execute(
      this.#database.kysely,
    )
    return rows[0]?.id ?? ''
  }

  async #record(payment: number): Promise<{ id: string; version: number; amount: number }> {
    const { rows } = await sql<{
      id: string
      version: number
      amount: number
    }>`
      select r.id, r.version, r.amount from repay_record r
      where r.vendor_order_no = ${`V-${payment}`} or r.utr = ${utrOfPayment(payment)}
      order by r.id desc limit 1`.execute(this.#database.kysely)
    return rows[0] ?? { id: 'R0', version: 1, amount: 0 }
  }

  /** The order that took over its open amount, or itself. */
  async #successorOf(orderId: string): Promise<string> {
    const { rows } = await sql<{
      id: string
    }>`select x.new_order_id as id from extension x where x.order_id = ${orderId}`.execute(
      this.#database.kysely,
    )
    return rows[0]?.id ?? orderId
  }

  async #now(): Promise<string> {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(
      this.#database.kysely,
    )
    return new Date((rows[0] as { now: string }).now).toISOString()
  }

  #day(day: number): string {
    return addDays(this.#firstDay, day)
  }

  /** Late on a day: after all its actions. */
  #instant(day: number): string {
    return new Date(`${this.#day(day)}T23:00:00+05:30`).toISOString()
  }
}

function utrOfPayment(payment: number): string {
  return String(300_000_000_000 + payment)
}

/** Repeats get identical answers. */
function outcomeOf(answers: { body: string; json<T>(): T }[]): string {
  const [first] = answers
  if (first === undefined || answers.some(({ body }) => body !== first.body))
    throw new Error(
      `the same request was answered differently: ${answers.map(({ body }) => body).join(' | ')}`,
    )
  const { code, problem, data, msg } = first.json<Envelope<Partial<BulkResult> | null>>()
  if (code === 500) throw new Error(`${code} ${msg}`)
  if (code !== 200) return problem?.id ?? String(code)
  return data?.failed?.[0]?.problem ?? 'ok'
}
