/**
 * Thousands of listeners: raw TCP with the minimum of WebSocket, Engine.IO and Socket.IO, because
 * any client library would be the bottleneck. Received frames are passed on unparsed.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { LIVE_NAMESPACE, LIVE_PATH } from '#shared/kernel/live.ts'

export interface WireHandlers {
  /**
   * A frame of events: the message is `data` from `from` to `end`; the buffer is reused for the
   * next.
   * @param upTo the cursor it brings
   * @param at when its bytes arrived, by `clock`
   */
  onFrame(data: Buffer, from: number, end: number, upTo: number, at: number): void
  /** Any other message: kick, resync, draining, presence. */
  onMessage?(message: string): void
  onClosed?(): void
}

export interface WireGiven {
  /** Sent at the handshake; null for a plain WebSocket server. */
  auth: Record<string, unknown> | null
  /** `kind:key` */
  watch?: string
  clock: () => number
}

const EVENT = Buffer.from(`42${LIVE_NAMESPACE},["event",{"upTo":`)
const CONNECTED = Buffer.from(`40${LIVE_NAMESPACE},{`)
const ACKNOWLEDGED = Buffer.from(`43${LIVE_NAMESPACE},1[{"code":200`)
const PONG = masked('3')
// Data are used before the next read, so one buffer is enough.
const READ = Buffer.alloc(256 * 1_024)

export class Wire {
  /**
   * Connected, and its watches acknowledged.
   * @throws Error with what the server said instead
   */
  readonly ready: Promise<void>
  readonly #socket: Socket
  readonly #given: WireGiven
  readonly #handlers: WireHandlers
  #rest: Buffer | null = null
  #upgraded = false
  #settle: { resolve: () => void; reject: (error: Error) => void } = {
    resolve: () => undefined,
    reject: () => undefined,
  }

  constructor(url: URL, given: WireGiven, handlers: WireHandlers) {
    this.#given = given
    this.#handlers = handlers
    this.ready = new Promise((resolve, reject) => (this.#settle = { resolve, reject }))
    // A connection that ends before anybody waits for it is reported by `onClosed`.
    this.ready.catch(() => undefined)
    this.#socket = connect({
      host: url.hostname,
      port: Number(url.port),
      onread: {
        buffer: READ,
        callback: (size: number) => (this.#take(READ.subarray(0, size)), true),
      },
    })
    this.#socket.setNoDelay(true)
    this.#socket.on('error', (error) => this.#settle.reject(error))
    this.#socket.on('close', () => {
      this.#settle.reject(new Error('a socket was closed'))
      handlers.onClosed?.()
    })
    this.#socket.write(
      [
        `GET ${LIVE_PATH}/?EIO=4&transport=websocket HTTP/1.1`,
        `Host: ${url.host}`,
        `Origin: ${url.origin}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        '\r\n',
      ].join('\r\n'),
    )
  }

  end(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const at = this.#given.clock()
    const data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    let from = this.#upgraded ? 0 : this.#upgrade(data)
    while (from >= 0 && from + 2 <= data.length) {
      const short = (data[from + 1] as number) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (from + head > data.length) break
      const length =
        short < 126
          ? short
          : short === 126
            ? data.readUInt16BE(from + 2)
            : Number(data.readBigUInt64BE(from + 2))
      const end = from + head + length
      if (end > data.length) break
      this.#message(data, from + head, end, at)
      from = end
    }
    this.#rest =
      from >= 0 && from === data.length ? null : Buffer.from(data.subarray(Math.max(0, from)))
  }

  /** @returns where the frames begin; -1 while the answer is incomplete */
  #upgrade(data: Buffer): number {
    const end = data.indexOf('\r\n\r\n')
    if (end < 0) return -1
    const status = data.toString('latin1', 9, 12)
    if (status !== '101') this.#settle.reject(new Error(`a socket was answered ${status}`))
    this.#upgraded = true
    if (this.#given.auth === null) this.#settle.resolve()
    return end + 4
  }

  #message(data: Buffer, from: number, end: number, at: number): void {
    const { auth, watch } = this.#given
    const kind = data[from]
    if (kind === 0x32) this.#socket.write(PONG)
    else if (kind === 0x30)
      this.#socket.write(masked(auth === null ? '' : `40${LIVE_NAMESPACE},${JSON.stringify(auth)}`))
    else if (startsWith(data, from, EVENT))
      this.#handlers.onFrame(data, from, end, numberAt(data, from + EVENT.length), at)
    else if (startsWith(data, from, CONNECTED)) {
      if (watch === undefined) this.#settle.resolve()
      else {
        const colon = watch.indexOf(':')
        const what = { kind: watch.slice(0, colon), key: watch.slice(colon + 1), quiet: true }
        this.#socket.write(masked(`42${LIVE_NAMESPACE},1${JSON.stringify(['watch', what])}`))
      }
    } else if (startsWith(data, from, ACKNOWLEDGED)) this.#settle.resolve()
    else {
      const message = data.toString('utf8', from, Math.min(end, from + 200))
      this.#settle.reject(new Error(`a socket received ${message}`))
      this.#handlers.onMessage?.(message)
    }
  }
}

function startsWith(data: Buffer, from: number, start: Buffer): boolean {
  return (
    data.length - from >= start.length &&
    data.compare(start, 0, start.length, from, from + start.length) === 0
  )
}

function numberAt(data: Buffer, from: number): number {
  let value = 0
  for (let digit = from; ; digit += 1) {
    const next = (data[digit] as number) - 48
    if (next < 0 || next > 9) return value
    value = value * 10 + next
  }
}

/** A text frame as clients send it; a mask of zeros leaves the text unchanged. */
function masked(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}
