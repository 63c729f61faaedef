/**
 * Sockets that only listen. They measure how long an event travels, and now and then everything a person's sockets heard is held
 * against what the log says he was to hear: a fresh socket asks for it by cursor, as a browser does that comes back.
 */
import type { LiveFrame } from '#shared/kernel/live.ts'
import type { WebPerson } from '#tests/support/web-person.ts'
import { Wire } from '#tests/support/wire.ts'
import { Histogram } from './histogram.ts'

/** Below the handshakes a second of one address, which the people at work share. */
const CONNECT_MS = 30
const AUDIT_MS = 20_000
const PATIENCE_MS = 15_000
const KNOWN_FRAMES = 64

interface Known {
  seqs: number[]
  times: number[]
}

/** One person's sockets; they stand in the same rooms, so they hear the same. */
class Audience {
  readonly person: WebPerson
  readonly ears: Ear[] = []
  /** Up to here what they heard was held against the log; null until all of them listen. */
  auditedTo: number | null = null
  readonly #frames = new Map<string, Known>()

  constructor(person: WebPerson) {
    this.person = person
  }

  /** What is in a frame is read once for all of them. */
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

class Ear {
  readonly #audience: Audience
  readonly #all: Ears
  /** Heard since the last audit. */
  heard = new Set<number>()
  upTo: number | null = null
  live = false
  #wire: Wire | null = null

  constructor(audience: Audience, all: Ears) {
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
        hear: (data, from, end, upTo, at) => {
          const { seqs, times } = this.#audience.read(data, from, end, upTo)
          for (const [i, seq] of seqs.entries()) this.#take(seq, times[i] as number, at, begun)
          this.upTo = Math.max(this.upTo ?? 0, upTo)
        },
        told: (message) => this.#all.told(message),
        closed: () => {
          if (this.live) this.#all.closed(this)
          this.live = false
        },
      },
    )
    this.#wire = wire
    await wire.ready
    this.live = true
  }

  #take(seq: number, time: number, at: number, begun: number): void {
    if (this.heard.has(seq)) {
      this.#all.twice += 1
      return
    }
    this.heard.add(seq)
    // what was missed while the line was cut says nothing of the way from commit to screen
    if (time >= begun) this.#all.travelled.add(at - this.#all.clockAheadMs - time)
  }

  end(): void {
    this.live = false
    this.#wire?.end()
  }
}

export class Ears {
  readonly travelled = new Histogram()
  /** By how much this machine's clock is ahead of the server's. */
  clockAheadMs = 0
  lost = 0
  twice = 0
  /** Heard without being entitled to, as far as the log knows. */
  phantom = 0
  audits = 0
  cameBack = 0
  readonly #audiences = new Map<WebPerson, Audience>()
  #ended = false
  #auditing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout
  readonly #tellings = new Map<string, number>()

  constructor() {
    this.#timer = setInterval(() => {
      this.#auditing = this.#auditing.then(() => this.#auditAll())
    }, AUDIT_MS)
  }

  get sockets(): number {
    return [...this.#audiences.values()].reduce(
      (sum, { ears }) => sum + ears.filter((ear) => ear.live).length,
      0,
    )
  }

  /** Opens `count` more sockets of a person, one after the other. */
  async open(person: WebPerson, count: number): Promise<void> {
    if (count === 0) return
    const audience = this.#audiences.get(person) ?? new Audience(person)
    this.#audiences.set(person, audience)
    audience.auditedTo = null
    for (let n = 0; n < count && !this.#ended; n += 1) {
      const ear = new Ear(audience, this)
      audience.ears.push(ear)
      await this.#connect(ear)
      await pause(CONNECT_MS)
    }
  }

  told(message: string): void {
    const name = /\["([a-zA-Z.]+)"/.exec(message)?.[1] ?? message.slice(0, 40)
    this.#tellings.set(name, (this.#tellings.get(name) ?? 0) + 1)
  }
  /** Told besides events, by name: kick, resync, draining. */
  get tellings(): string {
    return [...this.#tellings].map(([name, times]) => `${name} ${times}`).join(', ')
  }

  closed(ear: Ear): void {
    if (this.#ended) return
    this.cameBack += 1
    setTimeout(() => void this.#connect(ear), 300 + Math.random() * 700)
  }

  async #connect(ear: Ear): Promise<void> {
    while (!this.#ended) {
      try {
        return await ear.listen()
      } catch {
        await pause(300 + Math.random() * 700)
      }
    }
  }

  /** The last look at everybody, then all sockets are closed. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#auditing
    await this.#auditAll()
    this.#ended = true
    for (const { ears } of this.#audiences.values()) for (const ear of ears) ear.end()
  }

  async #auditAll(): Promise<void> {
    for (const audience of this.#audiences.values())
      await this.#audit(audience).catch(() => undefined)
  }

  async #audit(audience: Audience): Promise<void> {
    const { ears } = audience
    if (ears.length === 0 || ears.some((ear) => !ear.live || ear.upTo === null)) return
    const to = Math.min(...ears.map((ear) => ear.upTo as number))
    if (audience.auditedTo === null) {
      // the youngest of them knows nothing of before
      audience.auditedTo = Math.max(...ears.map((ear) => ear.upTo as number))
      return
    }
    const after = audience.auditedTo
    if (to <= after) return
    const truth = await this.#logOf(audience, after, to)
    if (truth === null) return
    audience.auditedTo = to
    this.audits += 1
    for (const ear of ears) {
      for (const seq of truth) if (!ear.heard.has(seq)) this.lost += 1
      for (const seq of ear.heard) {
        if (seq > to) continue
        if (seq > after && !truth.has(seq)) this.phantom += 1
        ear.heard.delete(seq)
      }
    }
  }

  /** What a person was to hear after one number up to another; null when the log was not to be had. */
  async #logOf({ person }: Audience, after: number, to: number): Promise<Set<number> | null> {
    const seqs = new Set<number>()
    let reached = 0
    let gone = false
    const wire = new Wire(
      new URL(person.url),
      { auth: { token: person.token, lastSeq: after }, clock: Date.now },
      {
        hear: (data, from, end, upTo) => {
          const text = data.toString('utf8', from, end)
          const [, frame] = JSON.parse(text.slice(text.indexOf('['))) as [string, LiveFrame]
          for (const { seq } of frame.events) if (seq <= to) seqs.add(seq)
          reached = Math.max(reached, upTo)
        },
        told: () => (gone = true),
        closed: () => (gone = true),
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
