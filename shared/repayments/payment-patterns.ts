/** How banks and payment apps spell what names a payment. */

/** 12 digits (UPI, IMPS), 16 or 22 letters and digits (NEFT, RTGS). */
export const UTR_PATTERN = '^([0-9]{12}|[A-Za-z0-9]{16}|[A-Za-z0-9]{22})$'
/** `name@handle`. */
export const VPA_PATTERN = '^[A-Za-z0-9._-]{2,64}@[A-Za-z][A-Za-z0-9]{1,30}$'
