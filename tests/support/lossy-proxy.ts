/**
 * A proxy that loses replies: the request is executed, its whole answer arrives here, and the
 * caller's connection is cut instead.
 */
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'

export class LossyProxy {
  url = ''
  /** Answers lost so far. */
  lost = 0
  readonly #target: string
  readonly #loses: (path: string, turn: number) => boolean
  #server: Server | null = null
  #turn = 0

  /** @param loses whether to lose the reply to this call; `turn` counts all calls */
  constructor(target: string, loses: (path: string, turn: number) => boolean) {
    this.#target = target
    this.#loses = loses
  }

  async start(): Promise<this> {
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(incoming).then(
        ({ status, headers, body }) => {
          if (this.#loses((incoming.url ?? '').split('?')[0] ?? '', (this.#turn += 1))) {
            this.lost += 1
            incoming.socket.resetAndDestroy()
          } else outgoing.writeHead(status, headers).end(body)
        },
        () => incoming.socket.resetAndDestroy(),
      )
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async #pass(
    incoming: IncomingMessage,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    const sent = await buffer(incoming)
    const outgoing = request(this.#target + (incoming.url ?? ''), {
      method: incoming.method,
      headers: { ...incoming.headers, connection: 'close' },
    })
    outgoing.end(sent)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const body = await buffer(answer)
    const { authorization, 'content-encoding': encoding } = answer.headers
    return {
      status: answer.statusCode ?? 502,
      headers: {
        'content-type': answer.headers['content-type'] ?? 'text/plain',
        ...(authorization ? { authorization } : {}),
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
      body,
    }
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}
