/**
 * Batches over applications that are not paid out yet: a higher limit, a lower daily rate, another
 * term.
 */
import { sql } from 'kysely'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import { ORDER_STATE, RATE_KEPT } from '#shared/orders/order-problems.ts'
import type { BatchLeftOut, BatchParams } from '#shared/rules/batch-sets.ts'
import {
  creditLimit,
  type LimitRaise,
  raisedLimit,
  raiseLimit,
} from '#gateway/manage/features/customers/public.ts'
import type {
  BatchRequest,
  BatchCandidate,
  BatchType,
} from '#gateway/manage/features/rules/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changeTerm, type NewTerm } from './change-term.ts'
import { OPEN_TO_TERMS } from './order-terms.ts'
import { lowerRates } from './lower-rates.ts'
import { ordersInScope } from './order-scope.ts'

interface Found {
  orderId: string
  customerId: string
  status: OrderStatus
  isEmi: boolean
  /** Paise; null without a passed credit. */
  limit: number | null
  most: number
  /** Basis points. */
  dailyRate: number
  tenureDays: number
  term: number
}

export const priceBatches: readonly BatchType[] = [
  {
    kind: 'raiseLimit',
    async candidates(tx, actor, request, params) {
      const found = await applications(tx, actor, request)
      return found.map((one) => {
        const after = one.limit === null ? 0 : raisedLimit(one.limit, raiseOf(params), one.most)
        const why: BatchLeftOut | null = !OPEN_TO_TERMS.includes(one.status)
          ? 'paidOut'
          : one.limit === null
            ? 'noCredit'
            : after <= one.limit
              ? 'atBound'
              : null
        return candidate(one, one.limit ?? 0, after, why)
      })
    },
    async row(tx, orderId, params) {
      const { customerId, most } = await application(tx, orderId)
      await raiseLimit(tx, customerId, raiseOf(params), most)
    },
  },
  {
    kind: 'reduceRate',
    async candidates(tx, actor, request, { rate = 0 }) {
      const found = await applications(tx, actor, request)
      return found.map((one) => {
        const why: BatchLeftOut | null = !OPEN_TO_TERMS.includes(one.status)
          ? 'paidOut'
          : one.isEmi
            ? 'emi'
            : one.dailyRate <= rate
              ? 'atBound'
              : null
        return candidate(one, one.dailyRate, rate, why)
      })
    },
    async row(tx, orderId, { rate = 0 }) {
      const isLower = await lowerRates(tx, orderId, { dailyRate: rate, serviceRate: null })
      if (!isLower) throw new Problem(RATE_KEPT)
    },
  },
  {
    kind: 'productTerm',
    async candidates(tx, actor, request, params) {
      const given = termOf(params)
      const found = await applications(tx, actor, request)
      return found.map((one) => {
        const why: BatchLeftOut | null = !OPEN_TO_TERMS.includes(one.status)
          ? 'paidOut'
          : one.isEmi
            ? 'emi'
            : one.tenureDays === given.tenureDays && one.term === given.term
              ? 'sameTerm'
              : null
        return candidate(one, termText(one), termText(given), why)
      })
    },
    async row(tx, orderId, params) {
      await changeTerm(tx, orderId, termOf(params))
    },
  },
]

function raiseOf({ amount, ratio }: BatchParams): LimitRaise {
  return amount === undefined ? { ratio: ratio ?? 0 } : { amount }
}

/** Every instalment has the same number of days. @throws Problem G-FIELD */
function termOf({ tenureDays = 0, term = 1 }: BatchParams): NewTerm {
  if (tenureDays < term || tenureDays % term !== 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { tenureDays: 'multiple' } })
  return { tenureDays, term }
}

/** `90 3`: days and instalments. */
function termText({ tenureDays, term }: NewTerm): string {
  return `${tenureDays} ${term}`
}

function candidate(
  { orderId }: Found,
  before: number | string,
  after: number | string,
  why: BatchLeftOut | null,
): BatchCandidate {
  return { orderId, before: String(before), after: String(after), why }
}

async function applications(
  tx: CommandTx,
  actor: StaffActor,
  request: BatchRequest,
): Promise<Found[]> {
  const chosen =
    'orderIds' in request
      ? sql`o.id = any(${[...request.orderIds]}::text[])`
      : sql`o.status = any(${[...OPEN_TO_TERMS]}::int[])
          and (${request.from}::timestamptz is null or o.created_at >= ${request.from}::timestamptz)
          and (${request.to}::timestamptz is null or o.created_at < ${request.to}::timestamptz)
          and (${request.productId}::text is null or o.product_id = ${request.productId})`
  const { rows } = await sql<Found>`
    select o.id as "orderId", o.customer_id as "customerId", o.status,
      coalesce(jsonb_typeof(o.product_snapshot -> 'emi') = 'object', false) as "isEmi",
      ${creditLimit(sql`o.customer_id`)} as "limit",
      coalesce((o.product_snapshot ->> 'maxAmount')::bigint, p.max_amount) as most,
      coalesce((o.product_snapshot ->> 'dailyRate')::int, p.daily_rate) as "dailyRate",
      o.tenure_days as "tenureDays", o.term
    from loan_order o join product p on p.id = o.product_id
    where ${chosen} and ${ordersInScope(actor)}
    order by o.created_at, o.id
    limit ${'most' in request ? request.most : null}`.execute(tx.db)
  return rows
}

async function application(
  tx: CommandTx,
  orderId: string,
): Promise<Pick<Found, 'customerId' | 'most'>> {
  const { rows } = await sql<Pick<Found, 'customerId' | 'most' | 'status'>>`
    select o.customer_id as "customerId", o.status,
      coalesce((o.product_snapshot ->> 'maxAmount')::bigint, p.max_amount) as most
    from loan_order o join product p on p.id = o.product_id where o.id = ${orderId}
    for update of o`.execute(tx.db)
  const [order] = rows
  if (!order) throw new Problem(NOT_FOUND)
  // it was open in the preview
  if (!OPEN_TO_TERMS.includes(order.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(order.status) })
  return order
}
