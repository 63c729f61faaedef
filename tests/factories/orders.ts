/**
 * Orders with their parents. A status is reached by the real lifecycle, dispatcher and payout
 * result, so that log, transfers, plans and ledger are consistent. Nothing is random: the n-th
 * object is the same in every run.
 */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { readParts } from '#shared/repayments/allocate-payment.ts'
import type { OrderEvent } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { dispatchPayout } from '#gateway/manage/features/orders/dispatch-payout.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import {
  emiTermsOf,
  PRODUCT_TERMS,
  type ProductRow,
  termsOf,
} from '#gateway/manage/features/orders/order-terms.ts'
import { receivePayout } from '#gateway/manage/features/orders/receive-payout.ts'
import { amountsOf } from '#gateway/manage/features/orders/amounts-of.ts'

interface WithHouse {
  context: AppContext
}

const counters = new WeakMap<AppContext, number>()
/** 1, 2, 3 … within one database. */
export function nextNumber({ context }: WithHouse): number {
  const n = (counters.get(context) ?? 0) + 1
  counters.set(context, n)
  return n
}

export interface ProductGiven {
  id?: string
  name?: string
  minAmount?: number
  maxAmount?: number
  periods?: number
  daysPerPeriod?: number
  /** Basis points. */
  serviceRate?: number
  /** Basis points per day. */
  dailyRate?: number
  coolingOffDays?: number
  enabled?: boolean
}

export interface MadeProduct {
  productId: string
  appId: string
  channelId: string
}

const products = new WeakMap<AppContext, Set<string>>()

/** Product `PR1` of app `A1`, channel `CH1` by default; made once per id. */
export async function makeProduct(
  { context }: WithHouse,
  given: ProductGiven = {},
): Promise<MadeProduct> {
  const { id = 'PR1' } = given
  const made = products.get(context) ?? new Set()
  products.set(context, made)
  if (!made.has(id)) await insertProduct(context, id, given)
  made.add(id)
  return { productId: id, appId: 'A1', channelId: 'CH1' }
}

async function insertProduct(context: AppContext, id: string, given: ProductGiven): Promise<void> {
  const {
    name = `Cash ${id}`,
    minAmount = 100_000,
    maxAmount = 20_000_000,
    periods = 3,
    daysPerPeriod = 30,
    serviceRate = 1_000,
    dailyRate = 5,
    coolingOffDays = 3,
    enabled = true,
  } = given
  const db = context.database.kysely
  await sql`
    insert into app (id, code, name) values ('A1', 'rupeeonce', 'RupeeOnce') on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into channel (id, code, name, kind) values ('CH1', 'organic', 'Organic', 'organic')
      on conflict do nothing`.execute(db)
  await sql`
    insert into product (id, app_id, name, min_amount, max_amount, tenure_days, periods, days_per_period,
      service_rate, daily_rate, penalty_rate, cooling_off_days, status)
    values (${id}, 'A1', ${name}, ${minAmount}, ${maxAmount}, ${periods * daysPerPeriod}, ${periods},
      ${daysPerPeriod}, ${serviceRate}, ${dailyRate}, 10, ${coolingOffDays},
      ${enabled ? 'enabled' : 'disabled'})
    on conflict (id) do nothing`.execute(db)
}

export interface BorrowerGiven {
  name?: string
  phone?: string
  blacklisted?: boolean
  cardBound?: boolean
  /** Basis points. */
  nameSimilarity?: number
  ifsc?: string
}

export interface Borrower {
  customerId: string
  name: string
  phone: string
}

/** A customer with an active bank card. */
export async function makeBorrower(floor: WithHouse, given: BorrowerGiven = {}): Promise<Borrower> {
  const { context } = floor
  const n = nextNumber(floor)
  await makeProduct(floor)
  const id = `C${70_000_000 + n}`
  const {
    name = `Asha Verma ${n}`,
    phone = String(9_000_000_000 + n),
    blacklisted = false,
    cardBound = true,
    nameSimilarity = 9_500,
    ifsc = 'HDFC0001234',
  } = given
  const { secrets, database } = context
  await sql`
    insert into customer (id, name, phone_enc, phone_h, phone_last4, city, postcode, channel_id, app_id,
      certified, blacklisted)
    values (${id}, ${name}, ${secrets.seal('customer.phone_enc', id, phone)},
      ${secrets.blindIndex('phone', phone)}, ${phone.slice(-4)}, 'Pune', '411001', 'CH1', 'A1', true,
      ${blacklisted})`.execute(database.kysely)
  const cardId = `K${n}`
  const account = String(50_100_000_000 + n)
  await sql`
    insert into bank_card (id, customer_id, holder, bank_name, account_enc, account_h, account_last4, ifsc,
      bind_state, name_similarity)
    values (${cardId}, ${id}, ${name}, 'HDFC Bank',
      ${secrets.seal('bank_card.account_enc', cardId, account)}, ${secrets.blindIndex('account', account)},
      ${account.slice(-4)}, ${ifsc}, ${cardBound ? 'bound' : 'notBound'}, ${nameSimilarity})`.execute(
    database.kysely,
  )
  return { customerId: id, name, phone }
}

/** Statuses that `makeOrder` can reach; those after a repayment are reached by the repayments. */
export type MakeableStatus = Extract<
  OrderStatus,
  10 | 20 | 21 | 22 | 23 | 26 | 27 | 29 | 30 | 31 | 70
>

export interface OrderGiven extends BorrowerGiven {
  status?: MakeableStatus
  /** Paise. */
  amount?: number
  /** Of an existing borrower; default: a new one. */
  customerId?: string
  product?: ProductGiven
  tags?: string[]
  /** ISO 8601; moves the order and its log into the past. */
  createdAt?: string
  kfsAccepted?: boolean
  /** Of an EMI product; default: the most it offers. */
  instalments?: number
  /**
   * Vendor of the transfer; with the whole manage the schedules send what belongs to the sandbox.
   */
  vendorCode?: string
}

export interface MadeOrder extends Borrower {
  orderId: string
  status: MakeableStatus
  amount: number
  /** Number of the only transfer of an order at 29, 30, 31. */
  platformOrderNo: string | null
}

const EVENTS: Record<MakeableStatus, OrderEvent[]> = (() => {
  const autoPass: OrderEvent = { type: 'AUTO_PASS', blockingRulesPassed: true, needManual: false }
  const undecided: OrderEvent = { type: 'AUTO_UNDECIDED', needManual: true, outputAbnormal: false }
  return {
    10: [],
    20: [autoPass],
    21: [
      {
        type: 'AUTO_REJECT',
        blockingRuleHit: true,
        refusalCode: 'R01',
        coolDownUntil: '2099-01-01',
      },
    ],
    22: [undecided],
    23: [{ type: 'LIMIT_FAIL', approvedLimitPaise: 0, productMinimumPaise: 1 }],
    26: [undecided, { type: 'REVIEW_PASS', reviewState: 'passed', tokenCurrent: true }],
    27: [undecided, { type: 'REVIEW_REJECT', reviewState: 'failed', rejectCode: 'A01' }],
    29: [autoPass],
    30: [autoPass],
    31: [autoPass],
    70: [{ type: 'CANCEL', withdrawn: true, offerExpired: false }],
  }
})()

/** An order at `status` (default 10). */
export async function makeOrder(floor: WithHouse, given: OrderGiven = {}): Promise<MadeOrder> {
  const { context } = floor
  const status = given.status ?? 10
  const { productId } = await makeProduct(floor, given.product)
  const borrower =
    given.customerId === undefined
      ? await makeBorrower(floor, given)
      : await borrowerOf(context, given.customerId)
  const { orderId, amount } = await insertOrder(context, borrower.customerId, productId, given)
  const isPaidOut = status === 29 || status === 30 || status === 31
  let platformOrderNo: string | null = null
  // One command, so that no schedule finds an intermediate state.
  await system(context, async (tx) => {
    for (const event of EVENTS[status]) await moveOrder(tx, orderId, event, { cause: 'test' })
    if (!isPaidOut) return
    await dispatchPayout(tx, orderId, {
      nameThreshold: 0,
      vendorCode: given.vendorCode ?? (status === 29 ? 'sandbox' : 'elsewhere'),
    })
    platformOrderNo = await payOut(tx, orderId, status)
  })
  if (given.createdAt !== undefined) {
    await sql`update loan_order set created_at = ${given.createdAt} where id = ${orderId}`.execute(
      context.database.kysely,
    )
    await sql`update order_status_log set at = ${given.createdAt} where order_id = ${orderId}`.execute(
      context.database.kysely,
    )
  }
  return { ...borrower, orderId, status, amount, platformOrderNo }
}

async function payOut(tx: CommandTx, orderId: string, status: 29 | 30 | 31): Promise<string> {
  const { rows } = await sql<{
    platform_order_no: string
  }>`select t.platform_order_no from payout_transfer t where t.order_id = ${orderId}`.execute(tx.db)
  const platformOrderNo = (rows[0] as { platform_order_no: string }).platform_order_no
  const vendorOrderNo = `V-${platformOrderNo}`
  if (status === 30)
    await receivePayout(tx, {
      platformOrderNo,
      vendorOrderNo,
      result: 'success',
      utr: '123456789012',
    })
  if (status === 31)
    await receivePayout(tx, {
      platformOrderNo,
      vendorOrderNo,
      result: 'fail',
      failReason: 'Beneficiary account closed',
    })
  return platformOrderNo
}

async function insertOrder(
  context: AppContext,
  customerId: string,
  productId: string,
  { amount = 1_000_000, tags = ['firstLoan'], kfsAccepted = true, instalments }: OrderGiven,
): Promise<{ orderId: string; amount: number }> {
  const db = context.database.kysely
  const { rows } =
    await sql<ProductRow>`select ${PRODUCT_TERMS} from product p where p.id = ${productId}`.execute(
      db,
    )
  const product = rows[0]
  if (!product) throw new Error(`no product ${productId}`)
  const terms =
    product.emi === null
      ? termsOf(product, 'new', 1)
      : emiTermsOf(product, product.emi, {
          amount,
          instalments: instalments ?? Math.max(...product.emi.config.instalments),
          parts: readParts(await context.parameters.text('repay.order')),
          badDebtDays: await context.parameters.int('order.badDebtDays'),
        })
  const { serviceCharge, interest, arrival, contract, tenureDays } = amountsOf(
    amount,
    terms,
    istDay(new Date()),
  )
  const inserted = await sql<{ id: string }>`
    with stored as (
      insert into loan_order (customer_id, product_id, app_id, channel_id, amount, arrival_amount,
        service_charge, interest, contract_amount, tenure_days, term, status, tags, kfs_version,
        kfs_accepted_at, product_snapshot)
      values (${customerId}, ${productId}, 'A1', 'CH1', ${amount}, ${arrival}, ${serviceCharge},
        ${interest}, ${contract}, ${tenureDays}, ${terms.periods}, 10, ${tags},
        ${kfsAccepted ? 'KFS-1' : null}, ${
          kfsAccepted
            ? sql`
          clock_timestamp()`
            : null
        }, ${JSON.stringify(terms)}::jsonb)
      returning id
    ), logged as (
      insert into order_status_log (order_id, to_status, cause, by_name) select s.id, 10, 'submit', 'test'
        from stored s
    )
    select s.id from stored s`.execute(db)
  return { orderId: (inserted.rows[0] as { id: string }).id, amount }
}

async function borrowerOf(context: AppContext, customerId: string): Promise<Borrower> {
  const { rows } = await sql<{
    name: string
    phone_enc: Buffer
  }>`select c.name, c.phone_enc from customer c where c.id = ${customerId}`.execute(
    context.database.kysely,
  )
  const row = rows[0]
  if (!row) throw new Error(`no customer ${customerId}`)
  return {
    customerId,
    name: row.name,
    phone: context.secrets.open('customer.phone_enc', customerId, row.phone_enc),
  }
}

async function system<T>(
  context: AppContext,
  command: (tx: CommandTx) => Promise<T>,
): Promise<void> {
  await runCommand(context, { actor: systemActor('test'), audit: { action: 'test' } }, command)
}
