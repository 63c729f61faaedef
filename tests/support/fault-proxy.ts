/**
 * A faulty network: sits before one or several servers like a load balancer, passes each new
 * connection to the next one that answers, and can delay, slow, slice, cut or swallow the traffic.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { targetOf } from '#gateway/edge/target.ts'
import { freePort } from './stack.ts'

export type WireMode =
  | { kind: 'pass' }
  /** New connections are refused, open ones reset. */
  | { kind: 'cut' }
  /** Connections stay open and nothing comes through. */
  | { kind: 'blackHole' }
  | { kind: 'delay'; ms: number; jitterMs: number }
  | { kind: 'slow'; bytesPerSecond: number }
  /** Every byte by itself for the first `bytes` of each chunk, then the rest. */
  | { kind: 'slice'; bytes: number }

export class FaultProxy {
  url = ''
  mode: WireMode = { kind: 'pass' }
  readonly #targets: readonly string[]
  readonly #open = new Set<Socket>()
  #server: Server | null = null
  #turn = 0

  /** @param targets `http://host:port` or `unix:/path` of each server behind */
  constructor(targets: readonly string[]) {
    this.#targets = targets
  }

  async start(): Promise<this> {
    const port = await freePort()
    this.#server = createServer((client) => void this.#join(client))
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${port}`
    return this
  }

  set(mode: WireMode): void {
    this.mode = mode
    if (mode.kind === 'cut') this.cutAll()
  }

  cutAll(): void {
    for (const socket of this.#open)
      // only a TCP connection can be reset
      if (socket.remoteAddress === undefined) socket.destroy()
      else socket.resetAndDestroy()
  }

  close(): void {
    this.#server?.close()
    this.cutAll()
  }

  async #join(client: Socket): Promise<void> {
    this.#keep(client)
    client.pause()
    if (this.mode.kind === 'cut') return void client.resetAndDestroy()
    const server = await this.#reach()
    if (!server) return void client.resetAndDestroy()
    this.#keep(server)
    this.#carry(client, server)
    this.#carry(server, client)
    client.resume()
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
  }

  /** The next server that accepts the connection; null when none does. */
  async #reach(): Promise<Socket | null> {
    for (let tries = 0; tries < this.#targets.length; tries += 1) {
      const target = targetOf(this.#targets[(this.#turn += 1) % this.#targets.length] as string)
      const socket = 'host' in target ? connect(target) : connect(target.socketPath)
      const isReached = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true))
        socket.once('error', () => resolve(false))
      })
      if (isReached) return socket
    }
    return null
  }

  /** Chunks leave in the order they came: each waits for the one before. */
  #carry(from: Socket, to: Socket): void {
    let before: Promise<void> = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      if (this.mode.kind === 'pass') {
        before = before.then(() => write(to, chunk))
        return
      }
      from.pause()
      before = before.then(() => this.#badly(to, chunk)).finally(() => from.resume())
    })
    // Even a faulty connection closes after its last byte.
    from.on('end', () => void before.then(() => to.end()))
    from.on('close', () => void before.then(() => to.destroy()))
  }

  async #badly(to: Socket, chunk: Buffer): Promise<void> {
    const { mode } = this
    if (mode.kind === 'blackHole') return await this.#whileBlack()
    if (mode.kind === 'delay')
      await pause(Math.max(0, mode.ms + (Math.random() * 2 - 1) * mode.jitterMs))
    if (mode.kind === 'slow') await pause((chunk.length / mode.bytesPerSecond) * 1_000)
    if (mode.kind === 'slice') {
      for (let at = 0; at < Math.min(mode.bytes, chunk.length); at += 1) {
        write(to, chunk.subarray(at, at + 1))
        await pause(0)
      }
      write(to, chunk.subarray(mode.bytes))
    } else write(to, chunk)
  }

  /**
   * Swallowed bytes never arrive: the connection is useless and closes with the end of the fault.
   */
  async #whileBlack(): Promise<void> {
    while (this.mode.kind === 'blackHole') await pause(20)
    this.cutAll()
  }
}

function write(to: Socket, chunk: Buffer): void {
  if (!to.destroyed && chunk.length > 0) to.write(chunk)
}
function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms))
}
