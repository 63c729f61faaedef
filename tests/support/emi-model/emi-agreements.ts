/**
 * What is agreed about an EMI loan beside its terms: reductions, settlement plans and coupons.
 * Implemented a second time; it shares nothing with the product.
 */
import {
  compare,
  type Fees,
  type Grant,
  type Moment,
  owes,
  type Reduction,
  type Row,
  type Settlement,
} from './emi-papers.ts'

export function validUntil({ coupon, grantedOn }: Grant): number {
  return grantedOn + coupon.days
}

/** The fine of the day is not charged, or only when the agreement fails. */
export function isStill(
  day: number,
  reductions: readonly Reduction[],
  settlements: readonly Settlement[],
): boolean {
  return (
    reductions.some((one) => day > one.approvedAt[0] && day <= lastDay(one)) ||
    settlements.some(
      ({ startedAt, endedAt, state }) =>
        day > startedAt[0] && (endedAt === null || state === 'ended' || day <= endedAt[0]),
    )
  )
}

/** The reduction's last day without fines. */
function lastDay(one: Reduction): number {
  return endsEarly(one) ? (one.endedAt as Moment)[0] : one.validUntil
}

/** By a person, or with its loan, before its validity passed. */
export function endsEarly({ endedAt, hasExpired, validUntil: last }: Reduction): boolean {
  return endedAt !== null && !hasExpired && endedAt[0] <= last
}

/** The newest that was approved when the money came, and could be used when it was paid. */
export function usableBy(
  at: Moment,
  receivedAt: Moment,
  reductions: readonly Reduction[],
): Reduction | undefined {
  return reductions.findLast(
    ({ approvedAt, validUntil: last, endedAt, hasExpired, isVoid }) =>
      !isVoid &&
      compare(receivedAt, approvedAt) >= 0 &&
      at[0] <= last &&
      (endedAt === null ||
        hasExpired ||
        compare(at, endedAt) < 0 ||
        compare(receivedAt, endedAt) < 0),
  )
}

/** What the fees come to on each row, the oldest first. */
export function spread(items: Fees, rows: readonly Row[]): Fees[] {
  const left = { ...items }
  return rows.map(({ open }) => {
    const given = {
      fine: Math.min(left.fine, open.fine),
      service: Math.min(left.service, open.service),
      interest: Math.min(left.interest, open.interest),
    }
    left.fine -= given.fine
    left.service -= given.service
    left.interest -= given.interest
    return given
  })
}

export function sumOf(given: readonly Fees[]): number {
  return given.reduce((sum, { fine, service, interest }) => sum + fine + service + interest, 0)
}

/** What a coupon gives up of rows with a payment. */
export function discount({ coupon }: Grant, rows: readonly Row[], paid: number): Fees {
  const none = { fine: 0, service: 0, interest: 0 }
  if (paid < coupon.least) return none
  const open = rows.reduce((sum, row) => sum + row.open[coupon.part], 0)
  const share =
    coupon.rate === null
      ? coupon.most
      : Math.min(coupon.most, Math.floor((open * coupon.rate + 5_000) / 10_000))
  return { ...none, [coupon.part]: Math.min(open, share) }
}

/** Days since the oldest part that the fall of the debt does not cover; 0 while none is late. */
export function lateParts({ rows }: Settlement, owed: number, day: number): number {
  let paid = rows.reduce((sum, { amount }) => sum + amount, 0) - owed
  for (const { due, amount } of rows) {
    paid -= amount
    if (paid < 0) return Math.max(0, day - due)
  }
  return 0
}

export function totalOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + owes(row), 0)
}
