/**
 * Messages of clients. Each is answered `{code, msg, data}`; none puts the connection in
 * a room by itself.
 */
import { PRESENCE_STATES, type PresenceState, WATCH_KINDS } from '#shared/kernel/live.ts'
import { BAD_REQUEST, type Envelope, FORBIDDEN, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import type { CatchUp } from './catch-up.ts'
import type { Coalescer } from './coalesce.ts'
import type { Presence } from './presence.ts'
import type { Rights } from './rights.ts'
import type { Connection } from './connection.ts'

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
export type Handler = (
  connection: Connection,
  input: Record<string, unknown>,
) => Answer | Promise<Answer>

const KEY = /^[A-Za-z0-9._:-]{1,64}$/

export function messageHandlers(deps: MessageDeps): Record<string, Handler> {
  return {
    async watch(connection, input) {
      const watch = watchOf(input)
      if (!watch) return problemBody(BAD_REQUEST)
      if (!connection.watches.includes(watch)) {
        if (connection.watches.length >= deps.maxWatches)
          return problemBody(TOO_MANY_ROWS, { n: deps.maxWatches })
        connection.watches = [...connection.watches, watch]
        const answer = await deps.rights.refresh(connection)
        if (answer.kind !== 'yes') {
          connection.watches = connection.watches.filter((other) => other !== watch)
          return answer.envelope
        }
        if (!connection.watches.includes(watch)) return problemBody(FORBIDDEN)
      }
      // a list that only follows the presence of its rows does not count as present at them
      if (!connection.ended && input.quiet !== true) deps.presence.join(watch, connection)
      return ok({ ...deps.presence.shown(watch, connection.circle), upTo: deps.head() })
    },

    async unwatch(connection, input) {
      const watch = watchOf(input)
      if (!watch) return problemBody(BAD_REQUEST)
      if (!connection.watches.includes(watch)) return ok(null)
      connection.watches = connection.watches.filter((other) => other !== watch)
      deps.presence.leave(watch, connection)
      const answer = await deps.rights.refresh(connection)
      return answer.kind === 'yes' ? ok(null) : answer.envelope
    },

    /**
     * The rows of the list that the tab shows. The answer holds their presence; changes follow.
     */
    async rows(connection, input) {
      const { rows } = input
      if (!Array.isArray(rows) || rows.length > deps.maxRows || !rows.every(isWatch))
        return problemBody(BAD_REQUEST)
      connection.rows = [...new Set(rows)].toSorted()
      const answer = await deps.rights.refresh(connection)
      return answer.kind === 'yes' ? ok(deps.presence.followedBy(connection)) : answer.envelope
    },

    'presence:set'(connection, input) {
      const { state, watch, editing } = input
      if (
        !isState(state) ||
        (watch !== undefined &&
          watch !== null &&
          (typeof watch !== 'string' || !connection.watches.includes(watch)))
      )
        return problemBody(BAD_REQUEST)
      deps.presence.set(
        connection,
        state,
        typeof watch === 'string' ? watch : undefined,
        editing === true,
      )
      return ok(null)
    },

    /**
     * The tab's token was renewed, perhaps through another edge: from now on questions go under the
     * new one, if it is of the same session.
     */
    async renew(connection, input) {
      const { token } = input
      if (typeof token !== 'string' || token === '' || token.length > 200)
        return problemBody(BAD_REQUEST)
      return (await deps.rights.renew(connection, token)) ? ok(null) : problemBody(FORBIDDEN)
    },

    sync(connection, input) {
      deps.coalescer.flush()
      deps.catchUp.start(connection, input.lastSeq)
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
