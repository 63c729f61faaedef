export const LINK_WAYS = ['sms', 'whatsapp'] as const
export type LinkWay = (typeof LINK_WAYS)[number]
/**
 * `due`: waits to be sent; `failed`: could not be sent. `paid` and `expired` follow from the
 * payment and the time.
 */
export const LINK_STATES = ['due', 'sent', 'failed', 'paid', 'expired'] as const
/** Time for which a link can be paid. */
export const LINK_HOURS = 72
