/** The product beside the model of EMI loans: a whole manage, and a clock that is moved by days. */
import { sql } from 'kysely'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { addCoupon, grantCoupon } from '#shared/coupons/coupons-api.ts'
import { istDay } from '#shared/kernel/time.ts'
import { saveEmiConfig } from '#shared/products/emi-api.ts'
import { editPenalty, listProducts, setProductStatus } from '#shared/products/products-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  decideReductions,
  launchReduction,
  revokeReduction,
} from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { couponExpire } from '#gateway/manage/features/coupons/coupon-expire-job.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import { reduceExpire } from '#gateway/manage/features/repayments/reductions/reduce-expire-job.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { foldFaults } from '../money-model/site/fold-faults.ts'
import { dayNumber, dayText } from './emi-plan.ts'
import { COUPONS, type Fees, type Moment, type Settlement } from './emi-papers.ts'
import { EMI_TERMS } from './emi-replay.ts'

export interface StoredRow {
  due: number
  principal: number
  interest: number
  bounced: number
  open: { principal: number; interest: number; service: number; fine: number }
  fined: number
  paid: number
  waived: number
  reduced: number
}
export interface StoredLoan {
  status: number
  overdueDays: number
  outstanding: number
  rows: StoredRow[]
  surpluses: number[]
  reductions: string[]
  settlements: string[]
  coupons: { state: string; amount: number }[]
}

type Staff = Record<'manager' | 'manager2' | 'director', Person>
type Ahead = 'lowerInstalments' | 'fewerInstalments' | null
const NAME_OF = { fine: 'overdueFine', interest: 'interest', service: 'serviceFee' } as const
const reason = 'As the model says'
/** A day is one transaction for all lives. */
const LOANS_A_CHUNK = 500

export class EmiSite {
  readonly #floor: Floor
  readonly #clock: TestClock
  readonly #channel: Machine
  readonly #staff: Staff
  readonly #productId: string
  readonly #coupons: readonly string[]
  today: number

  private constructor(
    floor: Floor,
    clock: TestClock,
    channel: Machine,
    staff: Staff,
    productId: string,
    coupons: readonly string[],
    today: number,
  ) {
    this.#floor = floor
    this.#clock = clock
    this.#channel = channel
    this.#staff = staff
    this.#productId = productId
    this.#coupons = coupons
    this.today = today
  }

  static async open(): Promise<EmiSite> {
    const floor = await testManage()
    // nobody listens: the relay would publish after every command
    Object.assign(floor.context, { wakeRelay: () => undefined })
    const clock = await testClock(floor.database)
    const { kysely } = floor.database
    await sql`
      update sys_config set value = ${String(EMI_TERMS.badDebtDays)}
        where code = 'order.badDebtDays'`.execute(kysely)
    // sessions outlast the months that pass
    await sql`
      update sys_config set value = '50000000' where code in ('session.idleMinutes',
        'session.idleMinutesAdmin', 'session.absoluteHours', 'session.renewMinutes')`.execute(
      kysely,
    )
    const today = istDay(new Date())
    await clock.to('10:00', today)
    await makeProduct(floor)
    const [admin, manager, manager2, director, channel] = await Promise.all([
      floor.signIn('administrator'),
      floor.signIn('manager'),
      floor.signIn('manager2'),
      floor.signIn('director'),
      machineOf(floor, ['payment']),
    ])
    await admin.call(saveEmiConfig, {
      appId: 'A1',
      version: 0,
      value: {
        minAmount: 500_000,
        maxAmount: 5_000_000,
        instalments: [2, 3, 6],
        annualRate: EMI_TERMS.rate,
        processingFee: 200,
        dueDay: EMI_TERMS.dueDay,
        graceDays: EMI_TERMS.grace,
        bounceCharge: EMI_TERMS.bounce,
        prepayment: 'fewerInstalments',
        coolingOffDays: 30,
      },
    })
    const { rows } = await manager.call(listProducts, { pageSize: 200 })
    const product = rows.find(({ kind }) => kind === 'emi')
    const productId = product?.productId ?? ''
    const { version } = await manager.call(setProductStatus, {
      productId,
      version: product?.version ?? 0,
      status: 'enabled',
    })
    await manager.call(editPenalty, {
      productId,
      version,
      penalty: [{ dayFrom: 1, dayTo: null, rate: EMI_TERMS.finePerDay, capRatio: null }],
    })
    await openDays(floor.context, today, [openDayCases])
    const coupons: string[] = []
    for (const [n, { part, rate, most, least, days }] of COUPONS.entries()) {
      const { couponId } = await manager.call(addCoupon, {
        name: `Coupon ${n}`,
        type: 'reduction',
        amountType: rate === null ? 'fixed' : 'rate',
        preferentialType: NAME_OF[part],
        discountAmount: most,
        ...(rate === null ? {} : { rate }),
        minAmount: least,
        validDays: days,
      })
      coupons.push(couponId)
    }
    const staff = { manager, manager2, director }
    return new EmiSite(floor, clock, channel, staff, productId, coupons, dayNumber(today))
  }

  get database(): Floor['database'] {
    return this.#floor.database
  }

  close(): Promise<void> {
    return this.#floor.close()
  }

  async lend(amount: number, instalments: number): Promise<string> {
    const product = { id: this.#productId }
    const { orderId } = await makeOrder(this.#floor, { status: 30, product, amount, instalments })
    return orderId
  }

  /** Days begin shortly after midnight; what is reported next comes in the evening. */
  async passDays(days: number): Promise<void> {
    const { context } = this.#floor
    for (let n = 1; n <= days; n += 1) {
      this.today += 1
      const day = dayText(this.today)
      await this.#clock.to('00:10', day)
      await openDays(context, day, [openDayCases], LOANS_A_CHUNK)
    }
    await this.#clock.to('18:00', dayText(this.today))
    await reduceExpire([casePaid]).run(context)
    await couponExpire.run(context)
  }

  /** The channel reports it. @returns the record */
  async pay(
    orderId: string,
    n: number,
    given: { at: Moment; amount: number; ahead: Ahead; result: 'success' | 'fail' | 'bounced' },
  ): Promise<string> {
    const { at, amount, ahead, result } = given
    const { recordId } = await this.#channel.call(inboundPayment, {
      vendorOrderNo: `V${n}`,
      orderId,
      amount,
      channel: 2,
      result: result === 'success' ? result : 'fail',
      payTime: timeOf(at),
      ...(result === 'success' ? { utr: utrOf(n) } : { failReason: 'No balance' }),
      ...(result === 'bounced' ? { bounced: true } : {}),
      ...(ahead === null ? {} : { ahead }),
    })
    return recordId
  }

  /** One person books it, another confirms it. */
  async book(
    orderId: string,
    n: number,
    given: {
      at: Moment
      amount: number
      ahead: Ahead
      type: 'full' | 'partial' | 'coolingOff'
      /** Place of the coupon it uses among those of the borrower. */
      coupon?: number | null
    },
  ): Promise<string> {
    const { at, amount, ahead, type, coupon = null } = given
    const paid = {
      orderId,
      version: await this.#versionOf(orderId),
      amount,
      utr: utrOf(n),
      upi: '-',
      channel: 2 as const,
      bankCode: 'HDFC',
      payTime: timeOf(at),
    }
    const { manager, manager2 } = this.#staff
    const { recordId } =
      type === 'coolingOff'
        ? await manager.call(exitCoolingOff, paid)
        : await manager.call(api.addRecord, {
            ...paid,
            repaymentType: type,
            ...(ahead === null ? {} : { ahead }),
            ...(coupon === null ? {} : { couponGrantId: await this.#grantOf(orderId, coupon) }),
          })
    await manager2.call(api.confirmRecord, { recordId, version: 1, result: 'success' })
    return recordId
  }

  async takeBack(recordId: string): Promise<void> {
    const { manager, director } = this.#staff
    const { record } = await manager.call(api.recordDetail, { recordId })
    const form = { recordId, version: record.version, cause: 'bounced' as const, reason }
    const { approvalId } = await manager.call(api.reverseRecord, form)
    await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
  }

  /** One person asks for it, another approves. */
  async reduce(orderId: string, fees: Fees, validUntil: number): Promise<void> {
    const { manager, director } = this.#staff
    const { rows } = await sql<{ planId: string }>`
      select p.id as "planId" from repay_plan p where p.order_id = ${orderId} limit 1`.execute(
      this.database.kysely,
    )
    const { reduceId } = await manager.call(launchReduction, {
      orderId,
      planId: rows[0]?.planId ?? '',
      version: await this.#versionOf(orderId),
      reduceItems: { overdueFine: fees.fine, serviceFee: fees.service, interest: fees.interest },
      validUntil: dayText(validUntil),
      reason,
    })
    await director.call(decideReductions, { reduceIds: [reduceId], result: 'approved', reason })
  }

  async revoke(orderId: string): Promise<void> {
    const { rows } = await sql<{ reduceId: string; version: number }>`
      select d.id as "reduceId", d.version from reduction d
      where d.order_id = ${orderId} and d.state = 'approved'`.execute(this.database.kysely)
    const { reduceId = '', version = 0 } = rows[0] ?? {}
    await this.#staff.director.call(revokeReduction, { reduceId, version, reason })
  }

  async cure(orderId: string, rows: Settlement['rows']): Promise<void> {
    const { manager, director } = this.#staff
    const { approvalId } = await manager.call(cureOrder, {
      orderId,
      version: await this.#versionOf(orderId),
      plan: rows.map(({ due, amount }) => ({ dueTime: dayText(due), amount })),
      reason,
    })
    await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
  }

  async grant(orderId: string, n: number): Promise<void> {
    const { rows } = await sql<{ userId: string }>`
      select o.customer_id as "userId" from loan_order o where o.id = ${orderId}`.execute(
      this.database.kysely,
    )
    await this.#staff.manager.call(grantCoupon, {
      couponId: this.#coupons[n] ?? '',
      userIds: [rows[0]?.userId ?? ''],
    })
  }

  async writeOff(orderId: string, amount: number): Promise<void> {
    await this.#staff.director.call(launchWriteOff, {
      orderId,
      version: await this.#versionOf(orderId),
      type: 'operational',
      repaymentDate: dayText(this.today),
      amount,
      reason,
    })
  }

  async stored(orderIds: readonly string[]): Promise<StoredLoan[]> {
    const { rows } = await sql<StoredLoan & { id: string }>`
      select o.id, o.status, o.overdue_days as "overdueDays", o.outstanding,
        (select json_agg(json_build_object('due', p.due_at - date '1970-01-01',
            'principal', p.principal, 'interest', p.interest, 'bounced', p.bounce_charges,
            'open', json_build_object('principal', p.open_principal, 'interest', p.open_interest,
              'service', p.open_service, 'fine', p.open_fine),
            'fined', p.overdue_fine, 'paid', p.paid_amount, 'waived', p.waived,
            'reduced', p.reduced_fees) order by p.due_at, p.principal, p.interest)
          from repay_plan p where p.order_id = o.id
          and (p.principal <> 0 or p.interest <> 0 or p.paid_amount <> 0 or p.outstanding <> 0)) as rows,
        (select coalesce(json_agg(d.state order by d.launched_at), '[]') from reduction d
          where d.order_id = o.id) as reductions,
        (select coalesce(json_agg(s.state order by s.started_at), '[]') from settlement_plan s
          where s.order_id = o.id) as settlements,
        (select coalesce(json_agg(json_build_object('state', g.state, 'amount', g.amount) order by g.id), '[]')
          from coupon_grant g where g.customer_id = o.customer_id) as coupons,
        (select coalesce(json_agg(r.surplus order by r.paid_at), '[]') from repay_record r
          where r.order_id = o.id and r.pay_state = 'success' and r.reversed_at is null
          and r.repayment_type <> 'coolingOff') as surpluses
      from loan_order o where o.id = any(${orderIds})`.execute(this.database.kysely)
    const byId = new Map(rows.map(({ id, ...loan }) => [id, loan]))
    return orderIds.map((id) => byId.get(id) as StoredLoan)
  }

  foldFaults(orderIds: readonly string[]): Promise<string[]> {
    return foldFaults(this.database, orderIds, dayText(this.today))
  }

  async #grantOf(orderId: string, place: number): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      select g.id from coupon_grant g join loan_order o on o.customer_id = g.customer_id
      where o.id = ${orderId} order by g.id`.execute(this.database.kysely)
    return rows[place]?.id ?? ''
  }

  async #versionOf(orderId: string): Promise<number> {
    const { rows } = await sql<{ version: number }>`
      select o.version from loan_order o where o.id = ${orderId}`.execute(this.database.kysely)
    return rows[0]?.version ?? 0
  }
}

function utrOf(n: number): string {
  return String(700_000_000_000 + n)
}

/** Reports of a day are of different seconds. */
function timeOf([day, place]: Moment): string {
  return new Date(Date.parse(`${dayText(day)}T11:00:00+05:30`) + place * 1_000).toISOString()
}
