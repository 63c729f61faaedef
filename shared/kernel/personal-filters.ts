/** Filters by which one person is found: their values are in no log and are kept in no view. */
const PERSONAL = /phone|pan|aadhaar|name|account|upi|utr|email|^ip$/i

/** @param name of a field of a list's call */
export function isPersonalFilter(name: string): boolean {
  return PERSONAL.test(name)
}
