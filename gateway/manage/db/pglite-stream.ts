// The pg client's end of the bridge: what pg takes for a socket is a MessagePort to the thread of
// PGlite. The startup handshake is answered here, so a client connects at once even while a long
// statement keeps that thread busy.
import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { concat, startupReply } from './wire.ts'

/** Settings a PostgreSQL server reports at the start; read from PGlite once it is open. */
export type ServerSettings = Readonly<Record<string, string>>

export class PgliteStream extends Duplex {
  readonly #openPort: () => MessagePort
  readonly #settings: ServerSettings
  #port: MessagePort | undefined
  #isStarted = false

  constructor(openPort: () => MessagePort, settings: ServerSettings) {
    super({ readableHighWaterMark: 1 << 20 })
    this.#openPort = openPort
    this.#settings = settings
  }

  /** pg calls this where it would connect a socket. */
  connect(): this {
    try {
      this.#port = this.#openPort()
    } catch (error) {
      this.destroy(error as Error) // openPort throws Errors only
      return this
    }
    this.#port.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
      this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    })
    this.#port.on('close', () => this.destroy())
    process.nextTick(() => this.emit('connect'))
    return this
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send([chunk])
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk))
    done()
  }

  override _read(): void {
    // Data is pushed as the port delivers it.
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port?.close()
    done(error)
  }

  ref(): this {
    this.#port?.ref()
    return this
  }

  unref(): this {
    this.#port?.unref()
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  #send(chunks: readonly Buffer[]): void {
    if (!this.#isStarted) {
      this.#isStarted = true // the first write of a client is its startup packet, alone
      this.push(Buffer.from(startupReply(this.#settings, process.pid)))
      return
    }
    // A copy of exact size: pg's buffers are in a shared pool, which a message would copy or take
    // away whole.
    const bytes = concat(chunks)
    this.#port?.postMessage(bytes, [bytes.buffer])
  }
}
