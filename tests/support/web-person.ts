/**
 * A user over real HTTP and a real socket, behaving like the browser: the cursor is kept, frames
 * are deduplicated by seq.
 */
import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { type DataOf, type Endpoint, type InputOf, placeOf } from '#shared/kernel/endpoint.ts'
import { LIVE_NAMESPACE, LIVE_PATH, type LiveEvent, type LiveFrame } from '#shared/kernel/live.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { login } from '#shared/session/session-api.ts'
import { PASSWORD } from './manage.ts'

export class WebPerson {
  url: string
  token = ''
  readonly account: string

  constructor(url: string, account: string) {
    this.url = url
    this.account = account
  }

  static async signIn(url: string, account: string, password = PASSWORD): Promise<WebPerson> {
    const person = new WebPerson(url, account)
    const answer = await person.call(login, { username: account, password })
    if (!('token' in answer)) throw new Error(`${account} needs a code to sign in`)
    person.token = answer.token
    return person
  }

  /** The envelope as answered. @throws TypeError when the connection fails */
  async send<E extends Endpoint>(
    e: E,
    input: InputOf<E>,
    key: string = randomUUID(),
  ): Promise<Envelope<DataOf<E>>> {
    const body = placeOf(e) === 'body'
    const query = new URLSearchParams(
      body
        ? {}
        : Object.entries(input as Record<string, unknown>).flatMap(([k, v]) =>
            v === undefined ? [] : [[k, String(v)]],
          ),
    )
    query.set('_r', String(Math.random()))
    const answer = await fetch(`${this.url}/api/manage${e.path}?${query}`, {
      method: e.method,
      headers: {
        'content-type': 'application/json',
        ...(this.token ? { authorization: this.token } : {}),
        ...(e.audit === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body ? { body: JSON.stringify(input) } : {}),
    })
    this.token = answer.headers.get('authorization') ?? this.token
    return (await answer.json()) as Envelope<DataOf<E>>
  }

  /** @throws Error when refused */
  async call<E extends Endpoint>(e: E, input: InputOf<E>, key?: string): Promise<DataOf<E>> {
    const { code, msg, data, problem } = await this.send(e, input, key)
    if (code !== 200)
      throw new Error(`${this.account} ${e.path}: ${code} ${problem?.id ?? ''} ${msg}`)
    return data
  }

  listen(options: ListenOptions = {}): Listener {
    return new Listener(this, options)
  }
}

export interface ListenOptions {
  lastSeq?: number
  /** `kind:key` each. */
  watch?: string[]
  /**
   * Reconnects after every end, even after a refusal or a kick: as the browser does during its
   * session.
   */
  persistent?: boolean
}

const AGAIN_MS = 200

export class Listener {
  readonly socket: Socket
  readonly events: LiveEvent[] = []
  readonly receivedAt: number[] = []
  duplicates = 0
  resyncs = 0
  kicked: string | null = null
  lastSeq: number | undefined
  readonly #seen = new Set<number>()
  readonly #watch: string[]
  #isClosed = false
  drainings = 0

  constructor(person: WebPerson, { lastSeq, watch = [], persistent = false }: ListenOptions) {
    this.lastSeq = lastSeq
    this.#watch = watch
    this.socket = io(person.url + LIVE_NAMESPACE, {
      path: LIVE_PATH,
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 500,
      extraHeaders: { origin: person.url },
      auth: (give) =>
        give({
          token: person.token,
          lastSeq: this.lastSeq,
          clientId: `t${randomUUID().slice(0, 8)}`,
        }),
    })
    this.socket.on('event', (frame: LiveFrame) => {
      for (const event of frame.events) {
        if (this.#seen.has(event.seq)) {
          this.duplicates += 1
          continue
        }
        this.#seen.add(event.seq)
        this.events.push(event)
        this.receivedAt.push(Date.now())
      }
      this.lastSeq = Math.max(this.lastSeq ?? 0, frame.upTo)
    })
    this.socket.on('resync', () => (this.resyncs += 1))
    this.socket.on('kick', ({ reason }: { reason: string }) => (this.kicked = reason))
    this.socket.on('connect', () => {
      // Ended before it was answered: the next connection asks again.
      for (const watched of this.#watch) this.watch(watched).catch(() => undefined)
    })
    this.socket.on('server.draining', () => (this.drainings += 1))
    if (!persistent) return
    // Socket.IO reconnects by itself after a lost connection, not after a refusal or a server
    // disconnect.
    const again = (): void => {
      if (!this.#isClosed && !this.socket.active)
        setTimeout(() => this.#isClosed || this.socket.connect(), AGAIN_MS)
    }
    this.socket.on('connect_error', again)
    this.socket.on('disconnect', again)
  }

  async ready(): Promise<this> {
    if (!this.socket.connected)
      await new Promise<void>((resolve, reject) => {
        this.socket.once('connect', () => resolve())
        this.socket.once('connect_error', reject)
      })
    await Promise.all(this.#watch.map((watched) => this.watch(watched)))
    return this
  }

  /** @param watched `kind:key` */
  watch(watched: string): Promise<Envelope<unknown>> {
    const at = watched.indexOf(':')
    return this.socket.emitWithAck('watch', {
      kind: watched.slice(0, at),
      key: watched.slice(at + 1),
    }) as Promise<Envelope<unknown>>
  }

  /** Waits until the received events satisfy the condition, or the time is up. */
  async until(satisfied: (events: readonly LiveEvent[]) => boolean, ms = 10_000): Promise<void> {
    const end = Date.now() + ms
    while (!satisfied(this.events)) {
      if (Date.now() > end) {
        const events = this.events.map((event) => `${event.seq} ${event.type} ${event.subject}`)
        throw new Error(`not received within ${ms} ms; received ${events.join(', ') || 'nothing'}`)
      }
      await new Promise((resume) => setTimeout(resume, 5))
    }
  }

  close(): void {
    this.#isClosed = true
    this.socket.close()
  }
}
