// One pg client as the bridge sees it: the messages it has sent and that have not been executed,
// the names of its prepared statements, and the channels it listens to. PGlite has one session for
// all clients, so statement names get an alias of their own per client; portals need none, for they
// die with the transaction.
import {
  FROM_CLIENT,
  HEADER,
  STATUS,
  concat,
  errorResponse,
  message,
  messageLength,
  readText,
  readyForQuery,
} from './wire.ts'

/** Where replies go: a MessagePort, or anything like it. */
export interface ReplyPort {
  postMessage(bytes: Uint8Array<ArrayBuffer>, transfer: ArrayBuffer[]): void
}

/** What is executed in one go: up to the next Query, Sync or Flush, or all there is. */
export interface Unit {
  bytes: Uint8Array
  /** The last message asks for ReadyForQuery. */
  asksReady: boolean
}

export interface Refusal {
  code: string
  message: string
  hint?: string
}

const NO_BYTES = new Uint8Array(0)

export class PgliteSession {
  readonly channels = new Set<string>()
  readonly #id: number
  readonly #port: ReplyPort
  readonly #statements = new Map<string, string>()
  #input: Uint8Array = NO_BYTES
  #at = 0
  #skipsToSync = false
  isClosed = false
  /** Messages were executed whose Sync has not come: the next ones must be this client's. */
  isUnsynced = false
  waitsSince = 0

  constructor(id: number, port: ReplyPort) {
    this.#id = id
    this.#port = port
  }

  push(bytes: Uint8Array): void {
    this.#input =
      this.#at < this.#input.length ? concat([this.#input.subarray(this.#at), bytes]) : bytes
    this.#at = 0
    if (this.#skipsToSync) this.#skipToSync()
  }

  hasInput(): boolean {
    return messageLength(this.#input, this.#at) > 0
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > 0 && !this.isClosed) this.#port.postMessage(bytes, [bytes.buffer])
  }

  /**
   * The next unit to execute; null when nothing whole is there, or when the client has said goodbye
   * (isClosed).
   */
  nextUnit(): Unit | null {
    const parts: Uint8Array[] = []
    let start = this.#at
    let asksReady = false
    for (
      let length = messageLength(this.#input, this.#at);
      length > 0;
      length = messageLength(this.#input, this.#at)
    ) {
      const type = this.#input[this.#at]
      if (type === FROM_CLIENT.terminate) {
        if (this.#at === start && parts.length === 0) this.isClosed = true
        break
      }
      const renamed = this.#withAlias(this.#input.subarray(this.#at, this.#at + length))
      if (renamed) {
        parts.push(this.#input.subarray(start, this.#at), renamed)
        start = this.#at + length
      }
      this.#at += length
      asksReady =
        type === FROM_CLIENT.query || type === FROM_CLIENT.sync || type === FROM_CLIENT.functionCall
      if (asksReady || type === FROM_CLIENT.flush) break
    }
    const rest = this.#input.subarray(start, this.#at)
    const bytes = parts.length === 0 ? rest : concat([...parts, rest])
    return bytes.length === 0 ? null : { bytes, asksReady }
  }

  /**
   * Answers everything that waits with an error, as a server would: one error for each Query or
   * Sync.
   */
  refuse(refusal: Refusal): void {
    const replies: Uint8Array[] = []
    let isRefused = false
    for (
      let length = messageLength(this.#input, this.#at);
      length > 0;
      length = messageLength(this.#input, this.#at)
    ) {
      const type = this.#input[this.#at]
      if (type === FROM_CLIENT.terminate) break
      if (!isRefused) replies.push(errorResponse(refusal))
      isRefused = type !== FROM_CLIENT.query && type !== FROM_CLIENT.sync
      if (!isRefused) replies.push(readyForQuery(STATUS.idle))
      this.#at += length
    }
    this.#skipsToSync = isRefused
    this.send(concat(replies))
  }

  /** Messages that free the client's prepared statements, or null when it has none. */
  closeStatements(): Uint8Array | null {
    if (this.#statements.size === 0) return null
    return concat(
      [...this.#statements.values()]
        .map((alias) => message(FROM_CLIENT.close, `S${alias}`))
        .concat(message(FROM_CLIENT.sync)),
    )
  }

  #skipToSync(): void {
    for (
      let length = messageLength(this.#input, this.#at);
      length > 0 && this.#skipsToSync;
      length = messageLength(this.#input, this.#at)
    ) {
      if (this.#input[this.#at] === FROM_CLIENT.sync) {
        this.#skipsToSync = false
        this.send(readyForQuery(STATUS.idle))
      }
      this.#at += length
    }
  }

  /** The message with its statement name replaced; null when it names none. */
  #withAlias(bytes: Uint8Array): Uint8Array | null {
    const type = bytes[0]
    if (type === FROM_CLIENT.parse) return this.#rename(bytes, HEADER)
    if (type === FROM_CLIENT.bind) return this.#rename(bytes, bytes.indexOf(0, HEADER) + 1)
    const namesStatement =
      (type === FROM_CLIENT.describe || type === FROM_CLIENT.close) && bytes[HEADER] === 0x53
    return namesStatement ? this.#rename(bytes, HEADER + 1) : null
  }

  #rename(bytes: Uint8Array, at: number): Uint8Array | null {
    if (bytes[at] === 0) return null
    const { text: name, next } = readText(bytes, at)
    const alias = this.#statements.get(name) ?? `c${this.#id}_${this.#statements.size}`
    this.#statements.set(name, alias)
    // A whole message has a type.
    return message(bytes[0] as number, bytes.subarray(HEADER, at), alias, bytes.subarray(next))
  }
}
