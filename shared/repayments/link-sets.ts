export const LINK_WAYS = ['sms', 'whatsapp'] as const
export type LinkWay = (typeof LINK_WAYS)[number]
/** `due`: about to be sent; `failed`: it could not be. `paid` and `expired` follow from the payment and the clock. */
export const LINK_STATES = ['due', 'sent', 'failed', 'paid', 'expired'] as const
/** A link can be paid for so long. */
export const LINK_HOURS = 72
