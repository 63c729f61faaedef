/**
 * The machine gives an application a better price than its product: the terms it was made with are
 * lowered before anybody decides, and its amounts follow. The borrower accepted the higher rates in
 * the key fact statement, so lower ones need no new consent; higher ones would, and are ignored. EMI
 * loans keep the rate of their agreement.
 */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { amountsOf } from './amounts-of.ts'
import { emitOrder } from './emit-order.ts'
import { OPEN_TO_TERMS, type OrderTerms } from './order-terms.ts'

/** Basis points; null: as agreed. */
export interface GivenRates {
  serviceRate: number | null
  dailyRate: number | null
}

const FIELDS = ['serviceCharge', 'interest', 'arrivalAmount', 'contractAmount']

interface Locked {
  status: OrderStatus
  amount: number
  terms: OrderTerms
  serviceCharge: number
  interest: number
}

/** @returns whether a rate became lower */
export async function lowerRates(
  tx: CommandTx,
  orderId: string,
  given: GivenRates,
): Promise<boolean> {
  const { rows } = await sql<Locked>`
    select o.status, o.amount, o.product_snapshot as terms, o.service_charge as "serviceCharge", o.interest
    from loan_order o where o.id = ${orderId} for update`.execute(tx.db)
  const [order] = rows
  if (!order || order.terms.emi !== undefined || !OPEN_TO_TERMS.includes(order.status)) return false
  const rates = {
    serviceRate: Math.min(order.terms.serviceRate, given.serviceRate ?? order.terms.serviceRate),
    dailyRate: Math.min(order.terms.dailyRate, given.dailyRate ?? order.terms.dailyRate),
  }
  const { serviceRate, dailyRate } = order.terms
  if (rates.serviceRate === serviceRate && rates.dailyRate === dailyRate) return false
  const amounts = amountsOf(order.amount, { ...order.terms, ...rates }, istDay(await tx.now()))
  const { rows: changed } = await sql<{ version: number }>`
    update loan_order o set service_charge = ${amounts.serviceCharge}, interest = ${amounts.interest},
      arrival_amount = ${amounts.arrival}, contract_amount = ${amounts.contract},
      product_snapshot = o.product_snapshot || ${JSON.stringify(rates)}::jsonb,
      updated_at = clock_timestamp(), version = o.version + 1
    where o.id = ${orderId} returning o.version`.execute(tx.db)
  await emitOrder(tx, orderId, changed[0]?.version ?? 1, FIELDS)
  tx.log({
    action: 'lowerRates',
    targetKind: 'order',
    targetId: orderId,
    before: {
      serviceRate,
      dailyRate,
      serviceCharge: order.serviceCharge,
      interest: order.interest,
    },
    after: { ...rates, serviceCharge: amounts.serviceCharge, interest: amounts.interest },
  })
  return true
}
