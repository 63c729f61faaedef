/**
 * Asks manage for the rooms of a session: `GET /live/rooms`. The edge itself decides nothing about
 * rights.
 */
import { type Envelope, NOT_AVAILABLE } from '#shared/kernel/problem.ts'
import { problemBody } from '#gateway/edge/answers.ts'
import { Semaphore } from '#gateway/edge/semaphore.ts'
import { getJson } from '#gateway/edge/get-json.ts'
import { API_BASE } from '#gateway/edge/paths.ts'
import type { Upstream } from '#gateway/edge/upstream.ts'

export interface Question {
  token: string
  cookie: string | undefined
  fetchSite: string | undefined
  address: string
  watches: readonly string[]
  /** Rows whose presence the tab wants to follow. */
  rows?: readonly string[]
}

export interface RoomsData {
  userId: string
  userName: string
  /** Id of the picture; a core without pictures names none. */
  avatar?: string | null
  sessionId: string
  /** Outside agency it belongs to; a core without agencies names none. */
  circle?: string | null
  rooms: string[]
  /** Watches that the session may not enter, as `kind:key`. */
  refused: string[]
  /** Of the rows asked about those it may see; a core without lists names none. */
  rows?: string[]
}

/** `down`: manage could not say; nothing is known about the rights. */
export type RoomsAnswer =
  | { kind: 'yes'; data: RoomsData; renewed: string | undefined }
  | { kind: 'no' | 'down'; envelope: Envelope<null> }

export class RightsClient {
  readonly #upstream: Upstream
  readonly #gate: Semaphore
  readonly #waiting = new Map<string, Promise<RoomsAnswer>>()

  constructor(upstream: Upstream, atOnce: number) {
    this.#upstream = upstream
    this.#gate = new Semaphore(atOnce)
  }

  /**
   * Sockets of one session with the same watches share a question, but only one that has not been
   * sent yet: an answer under way may be older than the reason to ask.
   */
  query(question: Question): Promise<RoomsAnswer> {
    const key = JSON.stringify([
      question.token,
      question.cookie,
      question.fetchSite,
      question.watches,
      question.rows,
    ])
    const waiting = this.#waiting.get(key)
    if (waiting) return waiting
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      this.#gate.run(() => {
        this.#waiting.delete(key)
        return queryOnce(this.#upstream, question)
      }),
    )
    this.#waiting.set(key, answer)
    return answer
  }
}

function roomsQuery({ watches, rows }: Question): string {
  const query = new URLSearchParams({ watch: watches.join(',') })
  if (rows?.length) query.set('rows', rows.join(','))
  return query.toString()
}

async function queryOnce(upstream: Upstream, question: Question): Promise<RoomsAnswer> {
  const down = { kind: 'down' as const, envelope: problemBody(NOT_AVAILABLE) }
  try {
    const { status, headers, body } = await getJson(
      upstream,
      `${API_BASE}/live/rooms?${roomsQuery(question)}`,
      {
        authorization: question.token,
        'x-forwarded-for': question.address,
        ...(question.cookie === undefined ? {} : { cookie: question.cookie }),
        ...(question.fetchSite === undefined ? {} : { 'sec-fetch-site': question.fetchSite }),
      },
    )
    if (status >= 500 || status === 429) return down
    const envelope = body as Envelope<RoomsData>
    if (envelope.code !== 200)
      return {
        kind: 'no',
        envelope: {
          code: envelope.code,
          msg: envelope.msg,
          data: null,
          ...(envelope.problem ? { problem: envelope.problem } : {}),
        },
      }
    return isRooms(envelope.data)
      ? { kind: 'yes', data: envelope.data, renewed: headers.authorization }
      : down
  } catch {
    return down
  }
}

function isRooms(data: unknown): data is RoomsData {
  const d = data as Partial<RoomsData> | null
  return (
    typeof d?.userId === 'string' &&
    typeof d.userName === 'string' &&
    typeof d.sessionId === 'string' &&
    Array.isArray(d.rooms) &&
    Array.isArray(d.refused) &&
    (d.rows === undefined || Array.isArray(d.rows))
  )
}
