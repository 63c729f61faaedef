/** When a form or a page requests the quote of an order. */

/** A quote is requested as soon as the input has the form of an order ID. */
export const ORDER_ID = /^[A-Za-z0-9._:-]{4,64}$/
/** A quote is requested again after this time. */
export const QUOTE_MS = 60_000
