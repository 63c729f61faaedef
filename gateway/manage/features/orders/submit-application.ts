/** SUBMIT (domain.md 3): a signed application becomes a customer and an order in 10, with the amounts its product's terms give that day. */
import { sql } from 'kysely'
import { share } from '#shared/kernel/money.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { isOrderClosed, nextOrderStatus } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { ORDER_STATUSES } from '#shared/orders/order-statuses.ts'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { type ReadyApplication, upsertCustomer } from '#gateway/manage/features/customers/public.ts'
import { type OrderTerms, PRODUCT_TERMS, type ProductRow, termsOf } from './order-terms.ts'

export interface SubmittedApplication {
  orderId: string
  customerId: string
  customerName: string
  /** Paise. */
  amount: number
  customerClass: string
}

/** A phone's clock may run ahead of ours by this much. */
const CLOCK_SLACK_MS = 5 * 60_000
/** A refused or cancelled order, or one that was paid back, does not stand in the way of the next. */
const OPEN_STATUSES = ORDER_STATUSES.filter((status) => !isOrderClosed(status))

/**
 * Stores the customer and the order.
 * @throws Problem O-RULE with `reason` productClosed, amountOutsideProduct, kfsNotAccepted, otherPerson, blacklisted, openOrder, coolDown (with the day it ends as `until`)
 */
export async function submitApplication(
  cx: Cx,
  input: ReadyApplication,
): Promise<SubmittedApplication> {
  const product = await openProduct(cx, input.productId, input.appId, input.channelId)
  if (!product) throw new Problem(ORDER_RULE, { reason: 'productClosed' })
  if (Date.parse(input.kfsAcceptTime) > Date.parse(await cx.now()) + CLOCK_SLACK_MS)
    throw new Problem(ORDER_RULE, { reason: 'kfsNotAccepted' })
  const { customerId, customerName, customerClass, blacklisted } = await upsertCustomer(cx, input)
  const earlier = await earlierOrders(cx, customerId)
  if (blacklisted) throw new Problem(ORDER_RULE, { reason: 'blacklisted' })
  if (earlier.has_open) throw new Problem(ORDER_RULE, { reason: 'openOrder' })
  if (earlier.cool_down_until !== null)
    throw new Problem(ORDER_RULE, { reason: 'coolDown', until: earlier.cool_down_until })
  const terms = termsOf(product, customerClass, earlier.loans + 1)
  const amounts = amountsOf(input.amount, terms)
  if (input.amount < terms.minAmount || input.amount > terms.maxAmount || amounts.arrival <= 0)
    throw new Problem(ORDER_RULE, { reason: 'amountOutsideProduct' })
  // the input's schema asks for every KYC field
  const status = nextOrderStatus('new', {
    type: 'SUBMIT',
    kycComplete: true,
    hasOpenOrder: earlier.has_open,
    isBlacklisted: blacklisted,
  })
  const tags = [earlier.has_settled ? 'reLoan' : 'firstLoan']
  const orderId = await insertOrder(cx, input, { customerId, terms, amounts, status, tags })
  cx.emit(ORDER_CREATED, {
    subject: `order:${orderId}`,
    version: 1,
    rooms: ['scope:all'],
    data: { orderId, userId: customerId, status, tags, amount: input.amount },
  })
  cx.log({
    action: 'application',
    targetKind: 'order',
    targetId: orderId,
    after: { status, amount: input.amount, productId: input.productId },
  })
  return { orderId, customerId, customerName, amount: input.amount, customerClass }
}

async function openProduct(
  cx: Cx,
  productId: string,
  appId: string,
  channelId: string,
): Promise<ProductRow | null> {
  const { rows } = await sql<ProductRow>`
    select ${PRODUCT_TERMS} from product p
    join app a on a.id = p.app_id
    join channel h on h.id = ${channelId}
    where p.id = ${productId} and p.app_id = ${appId} and p.status = 'enabled' and a.status = 'enabled' and h.status = 'enabled'`.execute(
    cx.db,
  )
  return rows[0] ?? null
}

interface Earlier {
  has_open: boolean
  /** A loan was paid back; one that was written off, or went on in an extension, was not. */
  has_settled: boolean
  loans: number
  /** IST day from which the customer may apply again; null = none that is still to come. */
  cool_down_until: string | null
}

/** The customer's row is locked since it was stored, so a second application of the same person has waited and sees the first one's order here. */
async function earlierOrders(cx: Cx, customerId: string): Promise<Earlier> {
  const { rows } = await sql<Earlier>`
    select coalesce(bool_or(o.status = any(${OPEN_STATUSES})), false) as has_open, coalesce(bool_or(o.close_type = 'repaidClosed'), false) as has_settled,
      count(*) filter (where o.disbursed_at is not null and o.from_order_id is null)::int as loans,
      max(o.cool_down_until) filter (where o.cool_down_until > (clock_timestamp() at time zone 'Asia/Kolkata')::date)::text as cool_down_until
    from loan_order o where o.customer_id = ${customerId}`.execute(cx.db)
  return rows[0] ?? { has_open: false, has_settled: false, loans: 0, cool_down_until: null }
}

export interface OrderAmounts {
  serviceCharge: number
  interest: number
  arrival: number
  contract: number
}

/**
 * Money of an order in paise: service charge = amount × service rate, interest = amount × daily rate × days, each rounded half
 * up to the paisa (api.md 25); arrival = amount − service charge, contract = amount + interest.
 */
export function amountsOf(
  amount: number,
  terms: Pick<OrderTerms, 'serviceRate' | 'dailyRate' | 'periods' | 'daysPerPeriod'>,
): OrderAmounts {
  const serviceCharge = Number(share(BigInt(amount), BigInt(terms.serviceRate)))
  const interest = Number(
    share(BigInt(amount), BigInt(terms.dailyRate) * BigInt(terms.periods * terms.daysPerPeriod)),
  )
  return { serviceCharge, interest, arrival: amount - serviceCharge, contract: amount + interest }
}

interface NewOrder {
  customerId: string
  terms: OrderTerms
  amounts: OrderAmounts
  status: number
  tags: string[]
}

async function insertOrder(
  cx: Cx,
  input: ReadyApplication,
  { customerId, terms, amounts, status, tags }: NewOrder,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with stored as (
      insert into loan_order (customer_id, product_id, app_id, channel_id, amount, arrival_amount, service_charge, interest, contract_amount, tenure_days, term, status, tags, kfs_version, kfs_accepted_at, product_snapshot)
      values (${customerId}, ${input.productId}, ${input.appId}, ${input.channelId}, ${input.amount}, ${amounts.arrival}, ${amounts.serviceCharge}, ${amounts.interest}, ${amounts.contract},
        ${terms.periods * terms.daysPerPeriod}, ${terms.periods}, ${status}, ${tags}, ${input.kfsVersion}, ${input.kfsAcceptTime}, ${JSON.stringify(terms)}::jsonb)
      returning id
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name)
      select s.id, null, ${status}::int, 'submit', ${cx.actor.userId}::text, ${cx.actor.userName}::text from stored s
    )
    select s.id from stored s`.execute(cx.db)
  return (rows[0] as { id: string }).id
}
