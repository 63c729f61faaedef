/**
 * A kept-alive connection with one request under way: a bare socket with the minimum of HTTP. With
 * two processors, the callers' processor time is taken from the server, and a client of node:http
 * uses as much as the server's hop.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  /** First bytes of the body. */
  start: string
  size: number
}

/** One connection, opened on demand and again after the server has closed it. */
export class HttpConnection {
  readonly #host: string
  readonly #port: number
  #socket: Socket | null = null
  #got: Buffer = Buffer.alloc(0)
  #resolve: (answer: Answer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  async ask(request: string): Promise<Answer> {
    const socket = this.#socket ?? (await this.#open())
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #open(): Promise<Socket> {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    await once(socket, 'connect')
    socket.on('data', (chunk) => this.#take(socket, chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null
      this.#reject(new Error('the connection was ended'))
    })
    this.#got = Buffer.alloc(0)
    return (this.#socket = socket)
  }

  #take(socket: Socket, chunk: Buffer): void {
    this.#got = this.#got.length === 0 ? chunk : Buffer.concat([this.#got, chunk])
    const head = this.#got.indexOf('\r\n\r\n')
    if (head === -1) return
    const headers = this.#got.toString('latin1', 0, head + 2).toLowerCase()
    const body = this.#got.subarray(head + 4)
    const answer = headers.includes('transfer-encoding: chunked')
      ? chunked(body)
      : sizedBody(body, Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 0))
    if (answer === null) return
    this.#got = Buffer.alloc(0)
    if (headers.includes('\r\nconnection: close')) {
      this.#socket = null
      socket.destroy()
    }
    this.#resolve(answer)
  }
}

function sizedBody(body: Buffer, size: number): Answer | null {
  return body.length < size ? null : { start: body.toString('latin1', 0, 200), size }
}

/** A complete chunked body; `size` includes the framing. */
function chunked(body: Buffer): Answer | null {
  if (body.length < 5 || body.toString('latin1', body.length - 5) !== '0\r\n\r\n') return null
  return { start: body.toString('latin1', body.indexOf('\r\n') + 2, 200), size: body.length }
}
