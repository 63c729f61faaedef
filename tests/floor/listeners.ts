/**
 * Sockets that only listen. They measure how long an event travels, and from time to time all
 * events that a user's sockets received are compared with the log: a new socket requests them by
 * cursor, as a returning browser does.
 */
import type { LiveFrame } from '#shared/kernel/live.ts'
import type { WebPerson } from '#tests/support/web-person.ts'
import { Wire } from '#tests/support/wire.ts'
import { Histogram } from './histogram.ts'

/** Below the handshake limit per second of one address, which the working users share. */
const CONNECT_MS = 30
const AUDIT_MS = 20_000
const PATIENCE_MS = 15_000
const KNOWN_FRAMES = 64

interface Known {
  seqs: number[]
  times: number[]
}

/** One user's sockets; they join the same rooms, so they receive the same events. */
class Audience {
  readonly person: WebPerson
  readonly listeners: Listener[] = []
  /** Compared with the log up to here; null until all sockets listen. */
  auditedTo: number | null = null
  readonly #frames = new Map<string, Known>()

  constructor(person: WebPerson) {
    this.person = person
  }

  /** Each frame is parsed once for all of them. */
  read(data: Buffer, from: number, end: number, upTo: number): Known {
    const name = `${upTo} ${end - from}`
    const known = this.#frames.get(name)
    if (known) return known
    const text = data.toString('utf8', from, end)
    const [, frame] = JSON.parse(text.slice(text.indexOf('['))) as [string, LiveFrame]
    const read = {
      seqs: frame.events.map((event) => event.seq),
      times: frame.events.map((event) => Date.parse(event.time)),
    }
    this.#frames.set(name, read)
    if (this.#frames.size > KNOWN_FRAMES)
      this.#frames.delete(this.#frames.keys().next().value as string)
    return read
  }
}

class Listener {
  readonly #audience: Audience
  readonly #all: Listeners
  /** Received since the last audit. */
  received = new Set<number>()
  upTo: number | null = null
  live = false
  #wire: Wire | null = null

  constructor(audience: Audience, all: Listeners) {
    this.#audience = audience
    this.#all = all
  }

  async listen(): Promise<void> {
    const { person } = this.#audience
    const begun = Date.now()
    const wire = new Wire(
      new URL(person.url),
      { auth: { token: person.token, lastSeq: this.upTo }, clock: Date.now },
      {
        onFrame: (data, from, end, upTo, at) => {
          const { seqs, times } = this.#audience.read(data, from, end, upTo)
          for (const [i, seq] of seqs.entries()) this.#take(seq, times[i] as number, at, begun)
          this.upTo = Math.max(this.upTo ?? 0, upTo)
        },
        onMessage: (message) => this.#all.onMessage(message),
        onClosed: () => {
          if (this.live) this.#all.onClosed(this)
          this.live = false
        },
      },
    )
    this.#wire = wire
    await wire.ready
    this.live = true
  }

  #take(seq: number, time: number, at: number, begun: number): void {
    if (this.received.has(seq)) {
      this.#all.twice += 1
      return
    }
    this.received.add(seq)
    // Events missed while disconnected say nothing about the latency from commit to screen.
    if (time >= begun) this.#all.travelled.add(at - this.#all.clockAheadMs - time)
  }

  end(): void {
    this.live = false
    this.#wire?.end()
  }
}

export class Listeners {
  readonly travelled = new Histogram()
  /** How far this machine's clock is ahead of the server's. */
  clockAheadMs = 0
  lost = 0
  twice = 0
  /** Received without being entitled to, as far as the log knows. */
  phantom = 0
  audits = 0
  cameBack = 0
  readonly #audiences = new Map<WebPerson, Audience>()
  #ended = false
  #auditing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout
  readonly #messages = new Map<string, number>()

  constructor() {
    this.#timer = setInterval(() => {
      this.#auditing = this.#auditing.then(() => this.#auditAll())
    }, AUDIT_MS)
  }

  get sockets(): number {
    return [...this.#audiences.values()].reduce(
      (sum, { listeners }) => sum + listeners.filter((listener) => listener.live).length,
      0,
    )
  }

  /** Opens `count` more sockets of a user, one after the other. */
  async open(person: WebPerson, count: number): Promise<void> {
    if (count === 0) return
    const audience = this.#audiences.get(person) ?? new Audience(person)
    this.#audiences.set(person, audience)
    audience.auditedTo = null
    for (let n = 0; n < count && !this.#ended; n += 1) {
      const listener = new Listener(audience, this)
      audience.listeners.push(listener)
      await this.#connect(listener)
      await pause(CONNECT_MS)
    }
  }

  onMessage(message: string): void {
    const name = /\["([a-zA-Z.]+)"/.exec(message)?.[1] ?? message.slice(0, 40)
    this.#messages.set(name, (this.#messages.get(name) ?? 0) + 1)
  }
  /** Messages besides events, by name: kick, resync, draining. */
  get messages(): string {
    return [...this.#messages].map(([name, times]) => `${name} ${times}`).join(', ')
  }

  onClosed(listener: Listener): void {
    if (this.#ended) return
    this.cameBack += 1
    setTimeout(() => void this.#connect(listener), 300 + Math.random() * 700)
  }

  async #connect(listener: Listener): Promise<void> {
    while (!this.#ended) {
      try {
        return await listener.listen()
      } catch {
        await pause(300 + Math.random() * 700)
      }
    }
  }

  /** A last audit of every user, then all sockets are closed. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#auditing
    await this.#auditAll()
    this.#ended = true
    for (const { listeners } of this.#audiences.values())
      for (const listener of listeners) listener.end()
  }

  async #auditAll(): Promise<void> {
    for (const audience of this.#audiences.values())
      await this.#audit(audience).catch(() => undefined)
  }

  async #audit(audience: Audience): Promise<void> {
    const { listeners } = audience
    if (
      listeners.length === 0 ||
      listeners.some((listener) => !listener.live || listener.upTo === null)
    )
      return
    const to = Math.min(...listeners.map((listener) => listener.upTo as number))
    if (audience.auditedTo === null) {
      // The newest socket did not receive earlier events.
      audience.auditedTo = Math.max(...listeners.map((listener) => listener.upTo as number))
      return
    }
    const after = audience.auditedTo
    if (to <= after) return
    const truth = await this.#logOf(audience, after, to)
    if (truth === null) return
    audience.auditedTo = to
    this.audits += 1
    for (const listener of listeners) {
      for (const seq of truth) if (!listener.received.has(seq)) this.lost += 1
      for (const seq of listener.received) {
        if (seq > to) continue
        if (seq > after && !truth.has(seq)) this.phantom += 1
        listener.received.delete(seq)
      }
    }
  }

  /** The events of a user between two numbers; null when the log was not available. */
  async #logOf({ person }: Audience, after: number, to: number): Promise<Set<number> | null> {
    const seqs = new Set<number>()
    let reached = 0
    let gone = false
    const wire = new Wire(
      new URL(person.url),
      { auth: { token: person.token, lastSeq: after }, clock: Date.now },
      {
        onFrame: (data, from, end, upTo) => {
          const text = data.toString('utf8', from, end)
          const [, frame] = JSON.parse(text.slice(text.indexOf('['))) as [string, LiveFrame]
          for (const { seq } of frame.events) if (seq <= to) seqs.add(seq)
          reached = Math.max(reached, upTo)
        },
        onMessage: () => (gone = true),
        onClosed: () => (gone = true),
      },
    )
    const end = Date.now() + PATIENCE_MS
    while (reached < to && !gone && Date.now() < end) await pause(10)
    wire.end()
    return reached >= to ? seqs : null
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds))
}
