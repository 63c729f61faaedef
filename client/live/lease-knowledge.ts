/**
 * What is known of the claim of one row. Responses, live events and lease expiry arrive in any
 * order, so messages are merged into knowledge that only grows - ownership by fencing token, the
 * lease by its latest end. Pure: no clock, no I/O.
 */

export interface LeaseKnowledge {
  /** The user of this tab. */
  userId: string
  token: number
  /** undefined = unknown for this token. */
  holderId: string | null | undefined
  holderName: string | null
  /** Latest end reported with `token`; `leaseOf` also counts renewals. */
  leaseUntil: string | null
  /** Highest token renewed so far. */
  renewed: { token: number; leaseUntil: string }
  /** End of a lease that has passed. */
  overUntil: string | null
  /** Highest token this user was seen to hold; 0 = never. */
  ownToken: number
  /** Highest token the server reported as lost, and the new holder. */
  lost: { token: number; holderName: string | null }
}

/** Absent fields are unknown. */
export interface HolderMessage {
  token: number
  /** null = nobody. */
  holderId?: string | null
  holderName?: string | null
  leaseUntil?: string | null
}

export function unknownLease(userId: string): LeaseKnowledge {
  return {
    userId,
    token: 0,
    holderId: undefined,
    holderName: null,
    leaseUntil: null,
    renewed: { token: 0, leaseUntil: '' },
    overUntil: null,
    ownToken: 0,
    lost: { token: 0, holderName: null },
  }
}

/** @param isClaimed whether the message leaves it possible that the row is claimed */
export function learnHolder<Known extends LeaseKnowledge>(
  known: Known,
  message: HolderMessage,
  isClaimed = true,
): Known {
  const holds = isClaimed && message.holderId === known.userId
  const ownToken = holds ? Math.max(known.ownToken, message.token) : known.ownToken
  if (message.token < known.token) return { ...known, ownToken }
  if (message.token > known.token)
    return {
      ...known,
      ownToken,
      token: message.token,
      holderId: message.holderId,
      holderName: message.holderName ?? null,
      leaseUntil: message.leaseUntil ?? null,
    }
  return {
    ...known,
    ownToken,
    holderId: known.holderId === undefined ? message.holderId : known.holderId,
    holderName: known.holderName ?? message.holderName ?? null,
    leaseUntil: later(known.leaseUntil, message.leaseUntil ?? null),
  }
}

/** The user holds the current token, and neither the server nor the clock has ended it. */
export function holdsLease(known: LeaseKnowledge): boolean {
  const isOwn = known.holderId === known.userId && known.ownToken === known.token
  return isOwn && known.lost.token < known.token && !isLeaseOver(known)
}

export function leaseOf({ leaseUntil, renewed, token }: LeaseKnowledge): string | null {
  return later(leaseUntil, renewed.token === token && token > 0 ? renewed.leaseUntil : null)
}

function isLeaseOver(known: LeaseKnowledge): boolean {
  const until = leaseOf(known)
  return (
    until !== null && known.overUntil !== null && Date.parse(known.overUntil) >= Date.parse(until)
  )
}

/** The current holder as far as known; null = nobody, unknown, or the user. */
export function holderNameOf({
  userId,
  holderId,
  holderName,
  lost,
  token,
}: LeaseKnowledge): string | null {
  if (holderId === userId) return null
  return holderName ?? (lost.token === token ? lost.holderName : null)
}

/** The later of two ends; null is unknown. */
export function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(b) > Date.parse(a) ? b : a
}

export function newestRenewal(
  known: LeaseKnowledge['renewed'],
  { token, leaseUntil }: LeaseKnowledge['renewed'],
): LeaseKnowledge['renewed'] {
  if (token !== known.token) return token > known.token ? { token, leaseUntil } : known
  return { token, leaseUntil: later(known.leaseUntil || null, leaseUntil) ?? leaseUntil }
}

export function newestLoss(
  known: LeaseKnowledge['lost'],
  { token, holderName }: LeaseKnowledge['lost'],
): LeaseKnowledge['lost'] {
  if (token !== known.token) return token > known.token ? { token, holderName } : known
  return { token, holderName: known.holderName ?? holderName }
}
