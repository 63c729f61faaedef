/** The amounts of an order, from its terms. Pure. */
import { share } from '#shared/kernel/money.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import { emiPlan, type PlannedInstalment } from '#shared/repayments/emi/emi-plan.ts'
import type { OrderTerms } from './order-terms.ts'

export interface OrderAmounts {
  serviceCharge: number
  interest: number
  arrival: number
  contract: number
  /** To the last instalment. */
  tenureDays: number
}

/**
 * Amounts of an order in paise: service charge = amount × service rate, interest = amount × daily
 * rate × days, each rounded half up to the paisa; arrival = amount − service charge, contract =
 * amount + interest. Of an EMI loan the service charge is the fee with its GST, and the interest
 * that of its plan.
 * @param day IST day of the disbursement; it matters for EMI loans alone
 */
export function amountsOf(
  amount: number,
  terms: Pick<OrderTerms, 'serviceRate' | 'dailyRate' | 'periods' | 'daysPerPeriod' | 'emi'>,
  day: string,
): OrderAmounts {
  if (terms.emi !== undefined) {
    const { fee, gst } = terms.emi
    const plan = emiPlan({ ...terms.emi, principal: BigInt(amount) }, day)
    const interest = Number(plan.reduce((sum, row) => sum + row.interest, 0n))
    return {
      serviceCharge: fee + gst,
      interest,
      arrival: amount - fee - gst,
      contract: amount + interest,
      tenureDays: daysBetween(day, (plan.at(-1) as PlannedInstalment).dueDay),
    }
  }
  const serviceCharge = Number(share(BigInt(amount), BigInt(terms.serviceRate)))
  const interest = Number(
    share(BigInt(amount), BigInt(terms.dailyRate) * BigInt(terms.periods * terms.daysPerPeriod)),
  )
  return {
    serviceCharge,
    interest,
    arrival: amount - serviceCharge,
    contract: amount + interest,
    tenureDays: terms.periods * terms.daysPerPeriod,
  }
}
