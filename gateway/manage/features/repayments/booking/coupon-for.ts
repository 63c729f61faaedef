/** The coupon a payment is booked with, and those that may be offered for one. */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { COUPON_UNFIT } from '#shared/coupons/coupon-problems.ts'
import type { UnfitReason } from '#shared/coupons/coupon-sets.ts'
import { discountOn, dueWith } from '#shared/coupons/coupon-amount.ts'
import { sumGiven } from '#shared/repayments/fold/give-up.ts'
import type { QuoteType } from '#shared/repayments/payment-sets.ts'
import type { quotePayment } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type CouponGrant,
  takeCoupon,
  unfitReason,
  unusedCouponsOf,
} from '#gateway/manage/features/coupons/public.ts'
import { openOn } from '../count-payment.ts'
import { owedThen } from '../history/owed-then.ts'
import type { Loan, LoanPlan } from '../loan-store.ts'
import { isRunning } from '../paid-order.ts'

interface CouponPayment {
  grantId: string
  repaymentType: QuoteType
  amount: number
  payTime: string
}

/**
 * The coupon, locked and fit for the payment.
 * @throws Problem G404, Q-STATE, Q-FIT
 */
export async function couponFor(
  tx: CommandTx,
  loan: Loan,
  { grantId, repaymentType, amount, payTime }: CouponPayment,
): Promise<CouponGrant> {
  const unfit = (reason: UnfitReason) =>
    new Problem(COUPON_UNFIT, { reason }, { fields: { couponGrantId: `coupons:unfit.${reason}` } })
  if (!takesCoupon(loan, repaymentType)) throw unfit('paymentType')
  if (await hasOpenReduction(tx.db, loan.orderId)) throw unfit('reduction')
  const valueDay = istDay(payTime)
  const grant = await takeCoupon(tx, grantId, {
    customerId: loan.customerId,
    productId: await productOf(tx.db, loan.orderId),
    type: 'reduction',
    amount,
    valueDay,
  })
  const open = await openThen(tx.db, loan, payTime)
  if (sumGiven(discountOn(grant.terms, open, amount)) === 0) throw unfit('nothing')
  return grant
}

/** Open instalments when money of an instant was paid. @param payTime ISO 8601 */
async function openThen(db: Db, loan: Loan, payTime: string): Promise<LoanPlan[]> {
  return (await owedThen(db, loan, payTime))?.open ?? openOn(loan, istDay(payTime))
}

type Offer = DataOf<typeof quotePayment>['coupons'][number]

/** Unused coupons of the borrower, with what each would give and what then settles the loan. */
export async function couponOffers(
  db: Db,
  loan: Loan,
  type: QuoteType,
  payTime: string,
): Promise<Offer[]> {
  if (!takesCoupon(loan, type) || (await hasOpenReduction(db, loan.orderId))) return []
  const [grants, productId] = await Promise.all([
    unusedCouponsOf(db, loan.customerId, 'reduction'),
    productOf(db, loan.orderId),
  ])
  const valueDay = istDay(payTime)
  const open = await openThen(db, loan, payTime)
  return grants.flatMap((grant): Offer[] => {
    const { due, discount } = dueWith(grant.terms, open)
    const usage = {
      customerId: loan.customerId,
      productId,
      type: 'reduction' as const,
      amount: Number.MAX_SAFE_INTEGER,
      valueDay,
    }
    if (discount === 0 || unfitReason(grant, usage) !== null) return []
    return [
      {
        grantId: grant.id,
        preferentialType: grant.preferential_type,
        amountType: grant.terms.amountType,
        discountAmount: grant.terms.discountAmount,
        rate: grant.terms.rate,
        ratio: grant.terms.ratio,
        minAmount: grant.terms.minAmount,
        validUntil: grant.valid_until,
        discount,
        due,
      },
    ]
  })
}

function takesCoupon({ status }: Loan, type: QuoteType): boolean {
  return isRunning(status) && (type === 'full' || type === 'partial')
}

/** Pending ones count: an approval would meet a debt that the coupon has changed. */
async function hasOpenReduction(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from reduction d where d.order_id = ${orderId} and d.state in ('pending', 'approved')
      limit 1`.execute(db)
  return rows.length > 0
}

async function productOf(db: Db, orderId: string): Promise<string> {
  const { rows } = await sql<{ product_id: string }>`
    select o.product_id from loan_order o where o.id = ${orderId}`.execute(db)
  return (rows[0] as { product_id: string }).product_id
}
