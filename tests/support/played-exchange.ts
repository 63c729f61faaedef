/** An exchange over HTTP that rings no telephone; a test says how it answers and what it knows. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { VoiceOrder, VoiceStatus } from '#gateway/manage/vendors/voice-vendor.ts'

/** `hangTaken`: takes it and never answers. `hangLost`: neither. `fail`: answers 503. */
export type ExchangeFault = 'none' | 'hangTaken' | 'hangLost' | 'fail' | 'refuse' | 'wrongKey'

export interface PlayedExchange {
  baseUrl: string
  /** Calls it was handed, also those it did not take. */
  handed: VoiceOrder[]
  /** What it answers about a call that it took. */
  stands: Map<string, VoiceStatus>
  fault: ExchangeFault
  /** Ends every connection and takes no other. */
  stop(): Promise<void>
  /** Listens again at the same address. */
  start(): Promise<void>
}

export async function playExchange(name: string): Promise<PlayedExchange> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET') {
      const callId = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
      if (exchange.fault === 'fail') return void reply(503, {})
      return void reply(200, exchange.stands.get(callId) ?? { state: 'unknown' })
    }
    void text(request).then((body) => {
      const order = JSON.parse(body) as VoiceOrder
      const { fault } = exchange
      const vendorCallId = `${name}-${order.callId}`
      exchange.handed.push(order)
      if (fault === 'none' || fault === 'hangTaken')
        exchange.stands.set(order.callId, { state: 'dialling', vendorCallId })
      if (fault.startsWith('hang')) return
      if (fault === 'fail') reply(503, {})
      else if (fault === 'wrongKey') reply(401, {})
      else if (fault === 'refuse') reply(200, { accepted: false, reason: 'no such extension' })
      else reply(200, { accepted: true, vendorCallId })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const exchange: PlayedExchange = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    handed: [],
    stands: new Map(),
    fault: 'none',
    async stop() {
      if (!server.listening) return
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
    start: () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done)),
  }
  return exchange
}
