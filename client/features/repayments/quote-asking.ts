/** When a form or a page asks what an order costs. */

/** What is typed is asked about once it has the form of an order's ID. */
export const ORDER_ID = /^[A-Za-z0-9._:-]{4,64}$/
/** A quote is asked again after this time (screens.md 1.6). */
export const QUOTE_MS = 60_000
