/** Days after a loan was paid off within which the customer borrows again. */
export const RELOAN_DAYS = [1, 3, 7, 15, 30] as const
