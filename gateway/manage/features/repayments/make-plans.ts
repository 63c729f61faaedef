import { emiPlan, type EmiTerms } from '#shared/repayments/emi/emi-plan.ts'
import { splitEvenly } from '#shared/kernel/money.ts'
import { addDays } from '#shared/kernel/time.ts'

export interface LoanTerms {
  /** Paise. */
  principal: bigint
  /** Paise of the whole contract. */
  interest: bigint
  periods: number
  daysPerPeriod: number
}

export interface MadePlan {
  serialNo: number
  /** IST day. */
  dueAt: string
  /** Paise. */
  principal: bigint
  /** Paise. */
  interest: bigint
}

/**
 * Instalments of a loan: one each `daysPerPeriod` IST days after the IST day of disbursement,
 * principal and interest each split evenly; the first instalments take the odd paise. The sums
 * equal `principal` and `interest` exactly. Interest is flat: it was fixed with the contract,
 * rounded half up once.
 * @param disbursedOn IST day
 * @throws RangeError for a negative amount, or fewer than one period or day
 */
export function makePlans(
  { principal, interest, periods, daysPerPeriod }: LoanTerms,
  disbursedOn: string,
): MadePlan[] {
  if (!Number.isInteger(daysPerPeriod) || daysPerPeriod < 1)
    throw new RangeError('a period has a whole number of days >= 1')
  const principals = splitEvenly(principal, periods)
  const interests = splitEvenly(interest, periods)
  return principals.map((part, i) => ({
    serialNo: i + 1,
    dueAt: addDays(disbursedOn, (i + 1) * daysPerPeriod),
    principal: part,
    // both splits have `periods` parts
    interest: interests[i] as bigint,
  }))
}

/**
 * Instalments of an EMI loan as agreed.
 * @param disbursedOn IST day
 */
export function plansOfEmi(terms: EmiTerms, disbursedOn: string): MadePlan[] {
  return emiPlan(terms, disbursedOn).map(({ dueDay, principal, interest }, i) => ({
    serialNo: i + 1,
    dueAt: dueDay,
    principal,
    interest,
  }))
}
