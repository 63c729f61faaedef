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
import {
  holdsLease,
  later,
  learnHolder,
  type LeaseKnowledge,
  newestLoss,
  newestRenewal,
  unknownLease,
} from '#client/live/lease-knowledge.ts'
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
  /** Why the claim before `token` ended. */
  cause?: string
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

export interface DeskContext extends DeskPerson, LeaseKnowledge {
  version: number
  state: ReviewState | null
  firstReviewerId: string | null | undefined
  finished: boolean
  cancelled: boolean
  missing: boolean
  /** Was this user's to decide in manual check. */
  everCheck: boolean
  /** The newest end of a claim, by the token after it. */
  ended: { token: number; cause: string }
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
    ...unknownLease(person.userId),
    version: 0,
    state: null,
    firstReviewerId: undefined,
    finished: false,
    cancelled: false,
    missing: false,
    everCheck: false,
    ended: { token: 0, cause: '' },
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
  if (message.token !== undefined)
    next = learnHolder(
      next,
      { ...message, token: message.token },
      message.state === undefined || HELD.includes(message.state),
    )
  if (message.cause !== undefined && (message.token ?? 0) > known.ended.token)
    next.ended = { token: message.token ?? 0, cause: message.cause }
  if (message.state === 'manualCheck') next.everCheck = known.everCheck || known.mayCheck
  return next
}

/** The user holds the current token, and neither the server nor the clock has ended it. */
export function isHolder(known: DeskContext): boolean {
  return known.state !== null && HELD.includes(known.state) && holdsLease(known)
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

/** Opening it was not answered; it is tried again when the user asks for it. */
export function hasOpenFailed({ openFailed, token }: DeskContext): boolean {
  return openFailed >= token
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
