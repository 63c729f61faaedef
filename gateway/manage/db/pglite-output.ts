// Cuts PGlite's output into messages. Everything goes back to the client whose statement runs,
// except notifications: they belong to the listener. Reads the transaction status on the way,
// which decides whose turn is next.
import { FROM_SERVER, HEADER, STATUS, messageLength, readText } from './wire.ts'

const FIRST_CAPACITY = 64 * 1024
/** Large results leave in parcels of this size while the statement still runs. */
const PARCEL = 256 * 1024

export class PgliteOutput {
  /** Status of the last ReadyForQuery. */
  status: number = STATUS.idle
  /** ReadyForQuery messages since reset(). */
  readyCount = 0
  /** A LISTEN or UNLISTEN succeeded since reset(). */
  hasListened = false
  readonly #onNotification: (channel: string, bytes: Uint8Array<ArrayBuffer>) => void
  #send: (bytes: Uint8Array<ArrayBuffer>) => void = () => {}
  #buffer = new Uint8Array(FIRST_CAPACITY)
  #length = 0
  #scanned = 0

  constructor(onNotification: (channel: string, bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#onNotification = onNotification
  }

  /** Begins the output of one unit, to be delivered to `send`. */
  reset(send: (bytes: Uint8Array<ArrayBuffer>) => void): void {
    this.#send = send
    this.readyCount = 0
    this.hasListened = false
  }

  /** Takes a piece of output; the piece is copied, for it is in PGlite's own memory. */
  feed(chunk: Uint8Array): void {
    this.#reserve(chunk.length)
    this.#buffer.set(chunk, this.#length)
    this.#length += chunk.length
    for (;;) {
      const length = messageLength(this.#buffer, this.#scanned, this.#length)
      if (length === 0) break
      this.#look(length)
    }
    if (this.#scanned >= PARCEL) this.deliver()
  }

  /** Sends what is whole. */
  deliver(): void {
    if (this.#scanned === 0) return
    this.#send(this.#buffer.slice(0, this.#scanned))
    this.#buffer.copyWithin(0, this.#scanned, this.#length)
    this.#length -= this.#scanned
    this.#scanned = 0
    if (this.#length === 0 && this.#buffer.length > 4 * PARCEL)
      this.#buffer = new Uint8Array(FIRST_CAPACITY)
  }

  #look(length: number): void {
    const at = this.#scanned
    const type = this.#buffer[at]
    if (type === FROM_SERVER.notification) {
      const bytes = this.#buffer.slice(at, at + length)
      this.#buffer.copyWithin(at, at + length, this.#length)
      this.#length -= length
      this.#onNotification(readText(bytes, HEADER + 4).text, bytes)
      return
    }
    if (type === FROM_SERVER.readyForQuery) {
      this.status = this.#buffer[at + HEADER] as number // the message is whole
      this.readyCount += 1
    } else if (type === FROM_SERVER.commandComplete && (length === 12 || length === 14)) {
      const tag = readText(this.#buffer, at + HEADER).text
      if (tag === 'LISTEN' || tag === 'UNLISTEN') this.hasListened = true
    }
    this.#scanned += length
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more))
    larger.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = larger
  }
}
