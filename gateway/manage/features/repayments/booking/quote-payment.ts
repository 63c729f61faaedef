import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { fineOnDay } from '#shared/repayments/overdue-fine.ts'
import type { quotePayment as call } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isOrderInScope } from '#gateway/manage/features/orders/public.ts'
import { dueOn } from '../count-payment.ts'
import { owedThen } from '../history/owed-then.ts'
import { fineDayOf, type Loan, outstandingOf, readLoan } from '../loan-store.ts'
import { priceExtension } from '../extension/price-extension.ts'
import { isRunning, openClaim, WRITTEN_OFF_WITH_CLAIM } from '../paid-order.ts'
import { asDueOn } from '../emi/payoff.ts'
import { countExit } from './count-exit.ts'
import { couponOffers } from './coupon-for.ts'

type Quote = DataOf<typeof call>
const NOTHING = { principal: 0, interest: 0, serviceFee: 0, overdueFine: 0 }

/**
 * What the order owes on the day of the payment.
 * @throws Problem G404; O-STATE for an order that owes nothing; O-RULE after the cooling-off, or
 * where there is no extension
 */
export async function quotePayment(
  db: Db,
  actor: StaffActor,
  { orderId, type, payTime }: InputOf<typeof call>,
): Promise<Quote> {
  const loan = (await isOrderInScope(db, actor, orderId)) ? await readLoan(db, orderId) : null
  if (!loan) throw new Problem(NOT_FOUND)
  if (!isRunning(loan.status) && loan.status !== WRITTEN_OFF_WITH_CLAIM)
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  const { rows } = await sql<{
    asOf: string
    userName: string
  }>`select clock_timestamp() as "asOf", c.name as "userName" from customer c where c.id = ${loan.customerId}`.execute(
    db,
  )
  const { asOf, userName } = rows[0] as { asOf: string; userName: string }
  const valueDay = istDay(payTime ?? asOf)
  const head = {
    orderId,
    version: loan.version,
    status: loan.status,
    userName,
    valueDay,
    reduction: 0,
    coupons: await couponOffers(db, loan, type, payTime ?? asOf),
    coolingOff: null,
    rollover: null,
    prepayment: loan.emi?.prepayment ?? null,
    asOf,
  }
  if (type === 'coolingOff') {
    const exit = countExit(loan, { recordId: '', paidAt: payTime ?? asOf, today: valueDay })
    const coolingOff = {
      until: loan.coolingOffUntil as string,
      daysUsed: exit.daysUsed,
      principal: exit.principal,
      proportionateCharge: exit.charge,
    }
    return {
      ...head,
      amountDue: exit.due,
      components: { ...NOTHING, principal: exit.principal, interest: exit.charge },
      coolingOff,
    }
  }
  if (type === 'rollover') {
    const {
      due,
      fee,
      commission,
      fine,
      principal,
      interest,
      service,
      days,
      dueDay,
      serialNo,
      maxTimes,
    } = await priceExtension(db, loan, payTime ?? asOf)
    return {
      ...head,
      amountDue: due,
      components: { ...NOTHING, overdueFine: fine },
      rollover: {
        fee,
        commission,
        overdueFine: fine,
        carried: principal + interest + service,
        days,
        newDueTime: dueDay,
        serialNo,
        maxTimes,
      },
    }
  }
  if (loan.status === WRITTEN_OFF_WITH_CLAIM)
    return { ...head, amountDue: await openClaim(db, orderId), components: NOTHING }
  const then = await owedThen(db, loan, payTime ?? asOf)
  const components =
    then === null
      ? componentsOn(loan, valueDay)
      : {
          principal: then.principal,
          interest: then.interest,
          serviceFee: then.service,
          overdueFine: then.fine,
        }
  const amountDue = then?.due ?? dueOn(loan, valueDay)
  return {
    ...head,
    amountDue,
    components,
    reduction:
      components.principal +
      components.interest +
      components.serviceFee +
      components.overdueFine -
      amountDue,
  }
}

/** Open amount of each part on an IST day, including the fines of that day. */
function componentsOn(loan: Loan, day: string): typeof NOTHING {
  const sum = { ...NOTHING }
  for (const plan of asDueOn(loan, day)) {
    if (outstandingOf(plan) === 0) continue
    sum.principal += plan.principal
    sum.interest += plan.interest
    sum.serviceFee += plan.service
    sum.overdueFine += fineOnDay(plan, loan.penalty, fineDayOf(loan, day)).fine
  }
  return sum
}
