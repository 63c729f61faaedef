/**
 * Tails manage's event log with a cursor of its own. Starts at the head, reconnects after every
 * kind of end (0.1-2 s with jitter), and treats a feed that is silent for 5 s as dead. A log that
 * went back or no longer has the cursor is a jump: listeners must start afresh. Numbers of events
 * have no gaps, so an event that is not the next one shows that some were lost on the way: they are
 * read from the log by page first.
 */
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Clock } from '#gateway/kernel/clock.ts'
import type { Logger } from '#gateway/kernel/logger.ts'
import type { Core } from '#gateway/edge/cores.ts'
import type { Upstream } from '#gateway/edge/upstream.ts'
import { type FeedEvent, readFeedEvent } from './feed-event.ts'
import { type FeedPage, readPage } from './feed-page.ts'
import { type SseMessage, sseParser } from './sse.ts'

export interface FeedReaderDeps {
  upstream: Upstream
  secret: string
  silenceMs: number
  logger: Logger
  clock: Clock
  onEvent: (event: FeedEvent) => void
  /** The cursor was set, not reached: at the first connect and after a gap. */
  onJump: (head: number) => void
}

const HOLE_PAGE = 500
const FASTEST_MS = 100
const SLOWEST_MS = 2_000

export class FeedReader {
  readonly #deps: FeedReaderDeps
  #cursor: number | null = null
  #request: ClientRequest | undefined
  #core: Core | undefined
  #silence: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #attempt = 0
  /** What the stream brought while a hole before it is being filled; null = no hole. */
  #heldBack: SseMessage[] | null = null
  #stopped = false
  #connected = false
  #downSince: number

  constructor(deps: FeedReaderDeps) {
    this.#deps = deps
    this.#downSince = deps.clock.now()
    deps.upstream.onSilent((core) => {
      if (core === this.#core && this.#request) this.#ended(new Error('the core is silent'))
    })
  }

  /** Whether events flow; false until the first connect. */
  get isAlive(): boolean {
    return this.#connected
  }

  get downForMs(): number {
    return this.#connected ? 0 : this.#deps.clock.now() - this.#downSince
  }

  /**
   * Tries once; when that fails it continues in the background, because manage may start later than
   * the edge.
   */
  async start(): Promise<void> {
    this.#stopped = false
    await this.#connect()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    this.#request?.destroy()
    this.#connected = false
  }

  /** Older events out of the log. @throws when manage does not answer */
  page(after: number, limit: number): Promise<FeedPage> {
    return readPage(this.#deps.upstream, this.#deps.secret, after, limit)
  }

  async #connect(): Promise<void> {
    try {
      if (this.#cursor === null) this.#jump((await this.page(0, 1)).head)
      await this.#open(this.#cursor ?? 0)
    } catch (err) {
      this.#ended(err)
    }
  }

  /** Resolves when the answer has begun; what ends it later leads to a reconnect. */
  #open(after: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#deps.upstream.choose()
      this.#core = line.core
      // A connection of its own: the agent's are for calls.
      const request = httpRequest({
        ...line.target,
        agent: false,
        path: `/feed?after=${after}`,
        headers: {
          'x-internal-secret': this.#deps.secret,
          accept: 'text/event-stream',
          host: 'manage',
        },
      })
      this.#request = request
      this.#expectBytes()
      request.on('response', (answer) => {
        if (answer.statusCode !== 200) {
          answer.resume()
          request.destroy()
          reject(new Error(`the feed answered ${answer.statusCode}`))
          return
        }
        this.#read(request, answer)
        resolve()
      })
      request.on('error', (err) => {
        if ((err as NodeJS.ErrnoException).code === 'ECONNREFUSED')
          this.#deps.upstream.refused(line)
        reject(err)
        this.#endedOf(request, err)
      })
      request.end()
    })
  }

  #read(request: ClientRequest, answer: IncomingMessage): void {
    this.#connected = true
    this.#attempt = 0
    const parse = sseParser((message) => this.#take(message))
    answer.on('data', (chunk: Buffer) => {
      this.#expectBytes()
      parse(chunk)
    })
    answer.on('close', () => this.#endedOf(request, new Error('the feed ended')))
    answer.on('error', (err) => this.#endedOf(request, err))
  }

  #take(message: SseMessage): void {
    if (this.#stopped) return
    if (this.#heldBack) {
      this.#heldBack.push(message)
      return
    }
    try {
      if (message.event === 'head')
        this.#takeHead(JSON.parse(message.data) as { seq: number; oldest: number })
      else this.#takeEvent(message)
    } catch (err) {
      // One unreadable event must not stop the others; its seq is passed so that it is not read for
      // ever.
      this.#deps.logger.error({ err, seq: message.id }, 'an event of the feed cannot be read')
      if (Number(message.id) > (this.#cursor ?? 0)) this.#cursor = Number(message.id)
    }
  }

  #takeEvent(message: SseMessage): void {
    const event = readFeedEvent(JSON.parse(message.data))
    const cursor = this.#cursor ?? 0
    if (event.seq <= cursor) return
    if (event.seq !== cursor + 1) return this.#hold(message, event.seq)
    this.#cursor = event.seq
    this.#deps.onEvent(event)
  }

  #hold(message: SseMessage, seq: number): void {
    this.#deps.logger.warn({ cursor: this.#cursor, seq }, 'the feed has a hole')
    const heldBack = [message]
    const request = this.#request
    this.#heldBack = heldBack
    this.#fill(seq, heldBack).then(
      () => {
        if (this.#heldBack !== heldBack) return
        this.#heldBack = null
        // one of them may show the next hole, which then holds back those after it
        for (const one of heldBack) this.#take(one)
      },
      (err: unknown) => {
        if (request && this.#heldBack === heldBack)
          this.#endedOf(request, err instanceof Error ? err : new Error(String(err)))
      },
    )
  }

  /** Reads the events before `seq` from the log; what the log does not have either is a jump. */
  async #fill(seq: number, heldBack: readonly SseMessage[]): Promise<void> {
    for (;;) {
      const cursor = this.#cursor ?? 0
      if (cursor >= seq - 1) return
      const { events } = await this.page(cursor, Math.min(HOLE_PAGE, seq - 1 - cursor))
      // the connection ended meanwhile: the next one reads on from the cursor
      if (this.#stopped || this.#heldBack !== heldBack) return
      for (const event of events)
        if (event.seq === (this.#cursor ?? 0) + 1 && event.seq < seq) {
          this.#cursor = event.seq
          this.#deps.onEvent(event)
        }
      if (this.#cursor === cursor) return this.#jump(seq - 1)
    }
  }

  #takeHead(head: { seq: number; oldest: number }): void {
    const cursor = this.#cursor ?? 0
    const wentBack = head.seq < cursor
    const wasPruned = head.oldest > cursor + 1 && head.seq > cursor
    if (!wentBack && !wasPruned) return
    this.#deps.logger.warn(
      { cursor, head: head.seq, oldest: head.oldest },
      'the feed no longer has the cursor',
    )
    this.#jump(head.seq)
    if (wentBack) this.#request?.destroy()
  }

  #jump(head: number): void {
    this.#cursor = head
    this.#deps.onJump(head)
  }

  #expectBytes(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(
      () => this.#ended(new Error('the feed is silent')),
      this.#deps.silenceMs,
    )
  }

  /** A connection given up earlier may still report its end. */
  #endedOf(request: ClientRequest, err: Error): void {
    if (this.#request === request) this.#ended(err)
  }

  #ended(err: unknown): void {
    clearTimeout(this.#silence)
    const request = this.#request
    this.#request = undefined
    this.#heldBack = null
    request?.destroy()
    if (this.#stopped || this.#retry) return
    if (this.#connected) {
      this.#connected = false
      this.#downSince = this.#deps.clock.now()
    }
    this.#attempt += 1
    const longest = Math.min(SLOWEST_MS, FASTEST_MS * 2 ** this.#attempt)
    const wait = FASTEST_MS + Math.random() * (longest - FASTEST_MS)
    this.#deps.logger.warn(
      {
        err: err instanceof Error ? err.message : String(err),
        attempt: this.#attempt,
        waitMs: Math.round(wait),
      },
      'the feed is down',
    )
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      void this.#connect()
    }, wait)
  }
}
