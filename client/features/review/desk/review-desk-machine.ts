/**
 * The claim workspace: may this person decide this review now? Answers of calls, live events and the lease clock arrive in
 * any order, so nothing here depends on the order. What is heard is gathered as knowledge that only grows - ownership by
 * fencing token, state by version, the lease by its latest end - and the state of the desk follows from the knowledge:
 *
 *   viewing ──► opening ──► deciding ⇄ submitting          lost: he held it, somebody else (or nobody) does now
 *      ▲___________│___________│__________│____► lost, gone   gone: it has left the desk (decided, cancelled, sent away)
 *
 * Pure: no clock, no I/O. The screen makes the calls, with the token of the context.
 */
import { assign, setup } from 'xstate'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'

export interface DeskPerson {
  userId: string
  /** Holds `review_list:check`: decides what was escalated, unless he was the first reviewer. */
  mayCheck: boolean
}

/** A message about the review, whole (a row) or in part (an event). Absent fields are not known from it. */
export interface DeskNews {
  version: number
  state?: ReviewState
  token?: number
  /** null = nobody. Only together with the token it belongs to. */
  holderId?: string | null
  holderName?: string | null
  leaseUntil?: string | null
  firstReviewerId?: string | null
  /** It ended: decided, timed out, or its order was cancelled. */
  finished?: boolean
  cancelled?: boolean
}

export type DeskEvent =
  | ({ type: 'NEWS' } & DeskNews)
  | { type: 'NOT_FOUND' }
  | { type: 'OPEN_FAILED'; token: number }
  | { type: 'OPEN_AGAIN' }
  | { type: 'RENEWED'; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; token: number; holderName: string | null }
  /** The clock of the server has passed this end of the lease. */
  | { type: 'LEASE_OVER'; until: string }
  | { type: 'SUBMIT'; key: string }
  /** Refused for good, the answer's row comes as NEWS. */
  | { type: 'REFUSED'; key: string }
  /** No answer: it may have been done. The same key may be sent again. */
  | { type: 'UNANSWERED'; key: string }
  | { type: 'SUBMITTED'; key: string }

export interface DeskContext extends DeskPerson {
  version: number
  state: ReviewState | null
  token: number
  /** undefined = of this token not known yet. */
  holderId: string | null | undefined
  holderName: string | null
  /** Latest end told with `token`; `leaseOf` counts the renewals too. */
  leaseUntil: string | null
  /** Of the highest token renewed so far. */
  renewed: { token: number; leaseUntil: string }
  /** End of a lease that the clock has passed. */
  overUntil: string | null
  /** Highest token this person was seen to hold; 0 = never. */
  ownToken: number
  /** Highest token the server called lost, and to whom. */
  lost: { token: number; holderName: string | null }
  firstReviewerId: string | null | undefined
  finished: boolean
  cancelled: boolean
  missing: boolean
  /** Was his to decide in manual check. */
  everCheck: boolean
  openFailed: number
  /** Keys that were sent, and those that came back. */
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

/** Adds what a message says; the same messages give the same knowledge in every order. */
export function learn(known: DeskContext, news: DeskNews): DeskContext {
  let next = {
    ...known,
    finished: known.finished || news.finished === true,
    cancelled: known.cancelled || news.cancelled === true,
  }
  if (news.version >= known.version && news.state !== undefined)
    next = { ...next, version: news.version, state: news.state }
  if (
    news.firstReviewerId !== undefined &&
    (known.firstReviewerId === undefined || known.firstReviewerId === null)
  )
    next.firstReviewerId = news.firstReviewerId
  if (news.token !== undefined) next = learnHolder(next, { ...news, token: news.token })
  if (news.state === 'manualCheck') next.everCheck = known.everCheck || known.mayCheck
  return next
}

function learnHolder(known: DeskContext, news: DeskNews & { token: number }): DeskContext {
  const holds =
    news.holderId === known.userId && (news.state === undefined || HELD.includes(news.state))
  const ownToken = holds ? Math.max(known.ownToken, news.token) : known.ownToken
  if (news.token < known.token) return { ...known, ownToken }
  if (news.token > known.token)
    return {
      ...known,
      ownToken,
      token: news.token,
      holderId: news.holderId,
      holderName: news.holderName ?? null,
      leaseUntil: news.leaseUntil ?? null,
    }
  return {
    ...known,
    ownToken,
    holderId: known.holderId === undefined ? news.holderId : known.holderId,
    holderName: known.holderName ?? news.holderName ?? null,
    leaseUntil: later(known.leaseUntil, news.leaseUntil ?? null),
  }
}

/** He holds the present token, and neither the server nor the clock says that it has ended. */
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

/** Who has it now, as far as anybody said; null = nobody, or not known. */
export function holderNameOf({ holderName, lost, token }: DeskContext): string | null {
  return holderName ?? (lost.token === token ? lost.holderName : null)
}

/** A leader decides in manual check without a lease. */
export function isChecker(known: DeskContext): boolean {
  return (
    known.state === 'manualCheck' &&
    known.mayCheck &&
    known.firstReviewerId !== undefined &&
    known.firstReviewerId !== known.userId
  )
}

/** A decision is under way: sent, and neither answered nor given up. */
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

/** Where the knowledge leads; the transitions of the machine say nothing else. */
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
  return list.includes(key) ? list : [...list, key].sort()
}

/** One way from each state to every other: where the knowledge leads. */
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
    NEWS: { actions: assign(({ context, event }) => learn(context, event)) },
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
