/**
 * The claim workspace: may this user decide this review now? Responses, live events and lease expiry
 * arrive in any order, so nothing here depends on the order. Messages are merged into knowledge that
 * only grows - ownership by fencing token, state by version, the lease by its latest end - and the
 * state is derived from it:
 *
 *   viewing ──► opening ──► deciding ⇄ submitting          lost: held by the user before, not any more
 *      ▲___________│___________│__________│____► lost, gone   gone: decided, cancelled or sent away
 *
 * Pure: no clock, no I/O. The screen sends the requests, with the token of the context.
 */
import { assign, setup } from 'xstate'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'

export interface DeskPerson {
  userId: string
  /** Has `review_list:check`: may decide escalated reviews, unless they were the first reviewer. */
  mayCheck: boolean
}

/**
 * A message about the review, complete (a row) or partial (an event). Absent fields are unknown.
 */
export interface DeskMessage {
  version: number
  state?: ReviewState
  token?: number
  /** null = nobody. Valid only together with the token. */
  holderId?: string | null
  holderName?: string | null
  leaseUntil?: string | null
  firstReviewerId?: string | null
  /** It has ended: decided, timed out, or its order was cancelled. */
  finished?: boolean
  cancelled?: boolean
}

export type DeskEvent =
  | ({ type: 'MESSAGE' } & DeskMessage)
  | { type: 'NOT_FOUND' }
  | { type: 'OPEN_FAILED'; token: number }
  | { type: 'OPEN_AGAIN' }
  | { type: 'RENEWED'; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; token: number; holderName: string | null }
  /** This end of the lease has passed by server time. */
  | { type: 'LEASE_OVER'; until: string }
  | { type: 'SUBMIT'; key: string }
  /** Permanently refused; the row of the response arrives as MESSAGE. */
  | { type: 'REFUSED'; key: string }
  /** No response: it may have been executed. The same key may be sent again. */
  | { type: 'UNANSWERED'; key: string }
  | { type: 'SUBMITTED'; key: string }

export interface DeskContext extends DeskPerson {
  version: number
  state: ReviewState | null
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
  firstReviewerId: string | null | undefined
  finished: boolean
  cancelled: boolean
  missing: boolean
  /** Was this user's to decide in manual check. */
  everCheck: boolean
  openFailed: number
  /** Idempotency keys sent, and keys answered. */
  sent: readonly string[]
  answered: readonly string[]
  unanswered: readonly string[]
}

const HELD: readonly ReviewState[] = ['toAudit', 'underReview']

export function startDesk(person: DeskPerson): DeskContext {
  return {
    ...person,
    version: 0,
    state: null,
    token: 0,
    holderId: undefined,
    holderName: null,
    leaseUntil: null,
    renewed: { token: 0, leaseUntil: '' },
    overUntil: null,
    ownToken: 0,
    lost: { token: 0, holderName: null },
    firstReviewerId: undefined,
    finished: false,
    cancelled: false,
    missing: false,
    everCheck: false,
    openFailed: 0,
    sent: [],
    answered: [],
    unanswered: [],
  }
}

/** Merges a message; the same messages give the same knowledge in every order. */
export function learn(known: DeskContext, message: DeskMessage): DeskContext {
  let next = {
    ...known,
    finished: known.finished || message.finished === true,
    cancelled: known.cancelled || message.cancelled === true,
  }
  if (message.version >= known.version && message.state !== undefined)
    next = { ...next, version: message.version, state: message.state }
  if (
    message.firstReviewerId !== undefined &&
    (known.firstReviewerId === undefined || known.firstReviewerId === null)
  )
    next.firstReviewerId = message.firstReviewerId
  if (message.token !== undefined) next = learnHolder(next, { ...message, token: message.token })
  if (message.state === 'manualCheck') next.everCheck = known.everCheck || known.mayCheck
  return next
}

function learnHolder(known: DeskContext, message: DeskMessage & { token: number }): DeskContext {
  const holds =
    message.holderId === known.userId &&
    (message.state === undefined || HELD.includes(message.state))
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
export function isHolder(known: DeskContext): boolean {
  if (known.state === null || !HELD.includes(known.state) || known.holderId !== known.userId)
    return false
  return known.ownToken === known.token && known.lost.token < known.token && !isLeaseOver(known)
}

export function leaseOf({ leaseUntil, renewed, token }: DeskContext): string | null {
  return later(leaseUntil, renewed.token === token && token > 0 ? renewed.leaseUntil : null)
}

function isLeaseOver(known: DeskContext): boolean {
  const until = leaseOf(known)
  return (
    until !== null && known.overUntil !== null && Date.parse(known.overUntil) >= Date.parse(until)
  )
}

/** The current holder as far as known; null = nobody or unknown. */
export function holderNameOf({ holderName, lost, token }: DeskContext): string | null {
  return holderName ?? (lost.token === token ? lost.holderName : null)
}

/** In manual check a leader decides without a lease. */
export function isChecker(known: DeskContext): boolean {
  return (
    known.state === 'manualCheck' &&
    known.mayCheck &&
    known.firstReviewerId !== undefined &&
    known.firstReviewerId !== known.userId
  )
}

/** A decision was sent and neither answered nor abandoned. */
export function isSending({ sent, answered, unanswered }: DeskContext): boolean {
  return sent.some((key) => !answered.includes(key) && !unanswered.includes(key))
}

function isGone(known: DeskContext): boolean {
  if (known.missing || known.cancelled) return true
  const worked =
    known.ownToken > 0 ||
    (known.everCheck &&
      known.firstReviewerId !== undefined &&
      known.firstReviewerId !== known.userId)
  if (!worked || known.state === null) return false
  if (
    known.finished ||
    known.state === 'audited' ||
    known.state === 'passed' ||
    known.state === 'failed'
  )
    return true
  return !HELD.includes(known.state) && known.state !== 'unclaimed' && !isChecker(known)
}

function isLost(known: DeskContext): boolean {
  return known.ownToken > 0 && !isGone(known) && !isHolder(known) && !isChecker(known)
}

type Place = 'viewing' | 'opening' | 'deciding' | 'submitting' | 'lost' | 'gone'

/** The state that follows from the knowledge; all transitions use it. */
export function placeOf(known: DeskContext): Place {
  if (isGone(known)) return 'gone'
  if (isLost(known)) return 'lost'
  if (isHolder(known) && known.state === 'toAudit') return 'opening'
  if (isHolder(known) || isChecker(known)) return isSending(known) ? 'submitting' : 'deciding'
  return 'viewing'
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(b) > Date.parse(a) ? b : a
}
function newestRenewal(
  known: DeskContext['renewed'],
  { token, leaseUntil }: DeskContext['renewed'],
): DeskContext['renewed'] {
  if (token !== known.token) return token > known.token ? { token, leaseUntil } : known
  return { token, leaseUntil: later(known.leaseUntil || null, leaseUntil) ?? leaseUntil }
}
function newestLoss(
  known: DeskContext['lost'],
  { token, holderName }: DeskContext['lost'],
): DeskContext['lost'] {
  if (token !== known.token) return token > known.token ? { token, holderName } : known
  return { token, holderName: known.holderName ?? holderName }
}
function add(list: readonly string[], key: string): readonly string[] {
  return list.includes(key) ? list : [...list, key].toSorted()
}

/** From each state a transition to every other, guarded by the knowledge. */
const ways = (['viewing', 'opening', 'deciding', 'submitting', 'lost', 'gone'] as const).map(
  (target) => ({ target, guard: { type: 'leadsTo' as const, params: { target } } }),
)
const waysFrom = (here: Place) => ways.filter((way) => way.target !== here)

export const reviewDeskMachine = setup({
  types: { context: {} as DeskContext, events: {} as DeskEvent, input: {} as DeskPerson },
  guards: { leadsTo: ({ context }, { target }: { target: Place }) => placeOf(context) === target },
}).createMachine({
  id: 'reviewDesk',
  context: ({ input }) => startDesk(input),
  initial: 'viewing',
  on: {
    MESSAGE: { actions: assign(({ context, event }) => learn(context, event)) },
    NOT_FOUND: { actions: assign({ missing: true }) },
    OPEN_FAILED: {
      actions: assign({
        openFailed: ({ context, event }) => Math.max(context.openFailed, event.token),
      }),
    },
    OPEN_AGAIN: { actions: assign({ openFailed: 0 }) },
    RENEWED: {
      actions: assign({ renewed: ({ context, event }) => newestRenewal(context.renewed, event) }),
    },
    RENEW_REFUSED: {
      actions: assign({ lost: ({ context, event }) => newestLoss(context.lost, event) }),
    },
    LEASE_OVER: {
      actions: assign({ overUntil: ({ context, event }) => later(context.overUntil, event.until) }),
    },
    SUBMIT: {
      actions: assign(({ context, event }) => ({
        sent: add(context.sent, event.key),
        unanswered: context.unanswered.filter((key) => key !== event.key),
      })),
    },
    SUBMITTED: {
      actions: assign({ answered: ({ context, event }) => add(context.answered, event.key) }),
    },
    REFUSED: {
      actions: assign({ answered: ({ context, event }) => add(context.answered, event.key) }),
    },
    UNANSWERED: {
      actions: assign({ unanswered: ({ context, event }) => add(context.unanswered, event.key) }),
    },
  },
  states: {
    viewing: { always: waysFrom('viewing') },
    opening: { always: waysFrom('opening') },
    deciding: { always: waysFrom('deciding') },
    submitting: { always: waysFrom('submitting') },
    lost: { always: waysFrom('lost') },
    gone: { always: waysFrom('gone') },
  },
})
