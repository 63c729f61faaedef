import type { Faults } from '#client/ui/form/fault.ts'
import { fitsDue, type QuoteType } from '#shared/repayments/payment-sets.ts'

interface GivenPayment {
  repaymentType: QuoteType
  /** Paise. */
  amount: number | null
  channel: number | null
  upi: string
}

/** Rules over the fields of a payment that a person enters. @param due paise; null while unknown */
export function paymentFaults(
  { repaymentType, amount, channel, upi }: GivenPayment,
  due: number | null,
): Faults {
  const fault = (name: string) => ({ key: `repayments:fault.${name}`, params: {} })
  return {
    ...(channel === 1 && upi === '-' && { upi: fault('upi') }),
    ...(due !== null &&
      amount !== null &&
      !fitsDue(repaymentType, amount, due) && {
        amount: fault(repaymentType === 'partial' ? 'amount.less' : 'amount.equal'),
      }),
  }
}
