/** What a client may say. Every message is answered `{code, msg, data}`; nothing it says puts it in a room by itself. */
import { PRESENCE_STATES, type PresenceState, WATCH_KINDS } from '#shared/kernel/live.ts'
import { BAD_REQUEST, type Envelope, FORBIDDEN, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import type { CatchUp } from './catch-up.ts'
import type { Coalescer } from './coalesce.ts'
import type { Presence } from './presence.ts'
import type { Rights } from './rights.ts'
import type { Seat } from './seat.ts'

export interface MessageDeps {
  rights: Rights
  presence: Presence
  catchUp: CatchUp
  coalescer: Coalescer
  /** Highest seq read; a screen read before it was may lack an event of a room just joined. */
  head: () => number
  maxWatches: number
  maxRows: number
}

type Answer = Envelope<unknown>
export type Handler = (seat: Seat, input: Record<string, unknown>) => Answer | Promise<Answer>

const KEY = /^[A-Za-z0-9._:-]{1,64}$/

export function messageHandlers(deps: MessageDeps): Record<string, Handler> {
  return {
    async watch(seat, input) {
      const watch = watchOf(input)
      if (!watch) return problemBody(BAD_REQUEST)
      if (!seat.watches.includes(watch)) {
        if (seat.watches.length >= deps.maxWatches)
          return problemBody(TOO_MANY_ROWS, { n: deps.maxWatches })
        seat.watches = [...seat.watches, watch]
        const answer = await deps.rights.refresh(seat)
        if (answer.kind !== 'yes') {
          seat.watches = seat.watches.filter((other) => other !== watch)
          return answer.envelope
        }
        if (!seat.watches.includes(watch)) return problemBody(FORBIDDEN)
      }
      // a list that only wants to hear of its rows is not somebody looking at each of them
      if (!seat.ended && input.quiet !== true) deps.presence.join(watch, seat)
      return ok({ ...deps.presence.shown(watch, seat.circle), upTo: deps.head() })
    },

    async unwatch(seat, input) {
      const watch = watchOf(input)
      if (!watch) return problemBody(BAD_REQUEST)
      if (!seat.watches.includes(watch)) return ok(null)
      seat.watches = seat.watches.filter((other) => other !== watch)
      deps.presence.leave(watch, seat)
      const answer = await deps.rights.refresh(seat)
      return answer.kind === 'yes' ? ok(null) : answer.envelope
    },

    /** The rows of the list the tab shows; answered with who has some of them open, and told when that changes. */
    async rows(seat, input) {
      const { rows } = input
      if (!Array.isArray(rows) || rows.length > deps.maxRows || !rows.every(isWatch))
        return problemBody(BAD_REQUEST)
      seat.rows = [...new Set(rows)].sort()
      const answer = await deps.rights.refresh(seat)
      return answer.kind === 'yes' ? ok(deps.presence.heard(seat)) : answer.envelope
    },

    'presence:set'(seat, input) {
      const { state, watch, editing } = input
      if (
        !isState(state) ||
        (watch !== undefined &&
          watch !== null &&
          (typeof watch !== 'string' || !seat.watches.includes(watch)))
      )
        return problemBody(BAD_REQUEST)
      deps.presence.set(
        seat,
        state,
        typeof watch === 'string' ? watch : undefined,
        editing === true,
      )
      return ok(null)
    },

    /** The tab's token was renewed, perhaps through another edge: from now on questions go under the new one, if it is of the same session. */
    async renew(seat, input) {
      const { token } = input
      if (typeof token !== 'string' || token === '' || token.length > 200)
        return problemBody(BAD_REQUEST)
      return (await deps.rights.renew(seat, token)) ? ok(null) : problemBody(FORBIDDEN)
    },

    sync(seat, input) {
      deps.coalescer.flush()
      deps.catchUp.start(seat, input.lastSeq)
      return ok({ upTo: deps.head() })
    },
  }
}

/** `kind:key` out of a message; null when it is none. */
function watchOf(input: Record<string, unknown>): string | null {
  const { kind, key } = input
  if (typeof kind !== 'string' || typeof key !== 'string') return null
  return (WATCH_KINDS as readonly string[]).includes(kind) && KEY.test(key)
    ? `${kind}:${key}`
    : null
}

function isWatch(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const at = value.indexOf(':')
  return watchOf({ kind: value.slice(0, at), key: value.slice(at + 1) }) !== null
}

function isState(value: unknown): value is PresenceState {
  return (PRESENCE_STATES as readonly unknown[]).includes(value)
}

function ok(data: unknown): Answer {
  return { code: 200, msg: '', data }
}
