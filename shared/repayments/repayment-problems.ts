import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of payments (api.md 0.1). */
export const UTR_USED: ProblemKind = { id: 'M-UTR', code: 400, msg: 'UTR already used on order {orderId}' }
/** `rule` says which of the two (less, equal); `data.fields` marks the amount. */
export const AMOUNT_WRONG: ProblemKind = { id: 'M-AMT', code: 422, msg: 'Amount must be less than / equal to what is due: {amount} paise' }
export const PAYMENT_OPEN: ProblemKind = { id: 'M-OPEN', code: 409, msg: 'Another payment or reduction is open on this order' }
/** A payment that was confirmed or failed already. */
export const PAYMENT_STATE: ProblemKind = { id: 'M-STATE', code: 409, msg: 'Payment is {state}; operation not possible' }
