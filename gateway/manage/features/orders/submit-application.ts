/**
 * SUBMIT: a signed application becomes a customer and an order in 10, with the amounts that the
 * product's current terms give.
 */
import { sql } from 'kysely'
import { raiseOn } from '#shared/coupons/coupon-amount.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { readParts } from '#shared/repayments/allocate-payment.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed, nextOrderStatus } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type CouponGrant, takeCoupon, useCoupon } from '#gateway/manage/features/coupons/public.ts'
import { type ReadyApplication, upsertCustomer } from '#gateway/manage/features/customers/public.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { ON_OFFER } from '#gateway/manage/features/products/public.ts'
import { amountsOf, type OrderAmounts } from './amounts-of.ts'
import {
  emiTermsOf,
  type OrderTerms,
  PRODUCT_TERMS,
  type ProductRow,
  termsOf,
} from './order-terms.ts'

export interface SubmittedApplication {
  orderId: string
  customerId: string
  customerName: string
  /** Paise. */
  amount: number
  customerClass: string
}

/** Tolerated clock skew of the customer's phone. */
export const CLOCK_SLACK_MS = 5 * 60_000
/** A refused, cancelled or repaid order does not block the next application. */
const OPEN_STATUSES = ORDER_STATUSES.filter((status) => !isOrderClosed(status))

/**
 * Stores the customer and the order.
 * @throws Problem O-RULE with `reason` productClosed, instalments, amountOutsideProduct, kfsNotAccepted,
 * otherPerson, blacklisted, openOrder, coolDown (with the day it ends as `until`); Q-STATE, Q-FIT for
 * its coupon
 */
export async function submitApplication(
  tx: CommandTx,
  input: ReadyApplication,
): Promise<SubmittedApplication> {
  const product = await openProduct(tx, input.productId, input.appId, input.channelId)
  if (!product) throw new Problem(ORDER_RULE, { reason: 'productClosed' })
  if (Date.parse(input.kfsAcceptTime) > Date.parse(await tx.now()) + CLOCK_SLACK_MS)
    throw new Problem(ORDER_RULE, { reason: 'kfsNotAccepted' })
  const { customerId, customerName, customerClass, blacklisted } = await upsertCustomer(tx, input)
  const earlier = await earlierOrders(tx, customerId)
  if (blacklisted) throw new Problem(ORDER_RULE, { reason: 'blacklisted' })
  if (earlier.has_open) throw new Problem(ORDER_RULE, { reason: 'openOrder' })
  if (earlier.cool_down_until !== null)
    throw new Problem(ORDER_RULE, { reason: 'coolDown', until: earlier.cool_down_until })
  const offered = await offeredTerms(tx, product, input, {
    customerClass,
    loanNo: earlier.loans + 1,
  })
  const { terms, grant } = await raisedBy(tx, input, offered, customerId)
  const amounts = amountsOf(input.amount, terms, istDay(await tx.now()))
  if (input.amount < terms.minAmount || input.amount > terms.maxAmount || amounts.arrival <= 0)
    throw new Problem(ORDER_RULE, { reason: 'amountOutsideProduct' })
  // the input's schema requires every KYC field
  const status = nextOrderStatus('new', {
    type: 'SUBMIT',
    kycComplete: true,
    hasOpenOrder: earlier.has_open,
    isBlacklisted: blacklisted,
  })
  const tags = [earlier.has_settled ? 'reLoan' : 'firstLoan']
  const orderId = await insertOrder(tx, input, { customerId, terms, amounts, status, tags })
  if (grant !== null)
    await useCoupon(tx, grant, {
      orderId,
      recordId: null,
      amount: terms.coupon?.raise ?? 0,
      valueDay: istDay(await tx.now()),
    })
  tx.emit(ORDER_CREATED, {
    subject: `order:${orderId}`,
    version: 1,
    rooms: ['scope:all'],
    data: { orderId, userId: customerId, status, tags, amount: input.amount },
  })
  tx.log({
    action: 'application',
    targetKind: 'order',
    targetId: orderId,
    after: { status, amount: input.amount, productId: input.productId },
  })
  return { orderId, customerId, customerName, amount: input.amount, customerClass }
}

/** @throws Problem O-RULE with `reason` instalments */
async function offeredTerms(
  tx: CommandTx,
  product: ProductRow,
  { amount, instalments }: ReadyApplication,
  { customerClass, loanNo }: { customerClass: string; loanNo: number },
): Promise<OrderTerms> {
  const { emi } = product
  if (emi === null) {
    if (instalments !== undefined) throw new Problem(ORDER_RULE, { reason: 'instalments' })
    return termsOf(product, customerClass, loanNo)
  }
  if (instalments === undefined || !emi.config.instalments.includes(instalments))
    throw new Problem(ORDER_RULE, { reason: 'instalments' })
  // below the minimum the instalments may hold no principal
  if (amount < emi.config.minAmount)
    throw new Problem(ORDER_RULE, { reason: 'amountOutsideProduct' })
  return emiTermsOf(product, emi, {
    amount,
    instalments,
    // on the session of the transaction: the embedded database has no other
    parts: readParts(await parameterIn(tx.db, 'repay.order')),
    badDebtDays: Number(await parameterIn(tx.db, 'order.badDebtDays')),
  })
}

/** The terms with the limit raised by the coupon of the application; its raise is in them. */
async function raisedBy(
  tx: CommandTx,
  { couponGrantId, amount, productId }: ReadyApplication,
  terms: OrderTerms,
  customerId: string,
): Promise<{ terms: OrderTerms; grant: CouponGrant | null }> {
  if (couponGrantId === undefined) return { terms, grant: null }
  const valueDay = istDay(await tx.now())
  const grant = await takeCoupon(tx, couponGrantId, {
    customerId,
    productId,
    type: 'raiseLimit',
    amount,
    valueDay,
  })
  const raise = raiseOn(grant.terms, terms.maxAmount)
  const coupon = { grantId: grant.id, raise }
  return { terms: { ...terms, maxAmount: terms.maxAmount + raise, coupon }, grant }
}

async function openProduct(
  tx: CommandTx,
  productId: string,
  appId: string,
  channelId: string,
): Promise<ProductRow | null> {
  const { rows } = await sql<ProductRow>`
    select ${PRODUCT_TERMS} from product p
    join app a on a.id = p.app_id
    join channel h on h.id = ${channelId}
    where p.id = ${productId} and p.app_id = ${appId} and ${ON_OFFER} and h.status = 'enabled'`.execute(
    tx.db,
  )
  return rows[0] ?? null
}

interface Earlier {
  has_open: boolean
  /** A loan counts as repaid only if it was paid back, not written off or extended. */
  has_settled: boolean
  loans: number
  /** IST day from which the customer may apply again; null when there is none in the future. */
  cool_down_until: string | null
}

/**
 * Storing the customer locked the customer's row, so a second application by the same person has
 * waited and sees the first order here.
 */
async function earlierOrders(tx: CommandTx, customerId: string): Promise<Earlier> {
  const { rows } = await sql<Earlier>`
    select coalesce(bool_or(o.status = any(${OPEN_STATUSES})), false) as has_open,
      coalesce(bool_or(o.close_type = 'repaidClosed'), false) as has_settled,
      count(*) filter (where o.disbursed_at is not null and o.from_order_id is null)::int as loans,
      max(o.cool_down_until) filter (where o.cool_down_until > (clock_timestamp() at time zone
        'Asia/Kolkata')::date)::text as cool_down_until
    from loan_order o where o.customer_id = ${customerId}`.execute(tx.db)
  return rows[0] ?? { has_open: false, has_settled: false, loans: 0, cool_down_until: null }
}

interface NewOrder {
  customerId: string
  terms: OrderTerms
  amounts: OrderAmounts
  status: number
  tags: string[]
}

async function insertOrder(
  tx: CommandTx,
  input: ReadyApplication,
  { customerId, terms, amounts, status, tags }: NewOrder,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with stored as (
      insert into loan_order (customer_id, product_id, app_id, channel_id, amount, arrival_amount,
        service_charge, interest, contract_amount, tenure_days, term, status, tags, kfs_version,
        kfs_accepted_at, product_snapshot)
      values (${customerId}, ${input.productId}, ${input.appId}, ${input.channelId}, ${input.amount},
        ${amounts.arrival}, ${amounts.serviceCharge}, ${amounts.interest}, ${amounts.contract},
        ${amounts.tenureDays}, ${terms.periods}, ${status}, ${tags}, ${input.kfsVersion},
          ${input.kfsAcceptTime}, ${JSON.stringify(terms)}::jsonb)
      returning id
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name)
      select s.id, null, ${status}::int, 'submit', ${tx.actor.userId}::text, ${tx.actor.userName}::text
        from stored s
    )
    select s.id from stored s`.execute(tx.db)
  return (rows[0] as { id: string }).id
}
