/** Who did a step of the demo portfolio; the systems that call in have no account. */
export interface Doer {
  id: string | null
  name: string
}
export const CUSTOMER_APP: Doer = { id: null, name: 'application:demo' }
export const MACHINE: Doer = { id: null, name: 'machineReview' }
export const VENDOR: Doer = { id: null, name: 'payout:sandbox' }
export const DISPATCHER: Doer = { id: null, name: 'payoutDispatch' }
export const POST_CHECK: Doer = { id: null, name: 'postCheck' }
export const DAY_JOB: Doer = { id: null, name: 'openDay' }
export const CHANNEL: Doer = { id: null, name: 'payment:demo' }
