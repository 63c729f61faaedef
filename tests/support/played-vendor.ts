/**
 * A payout vendor over HTTP whose faults a test chooses for each transfer. It keeps what it paid,
 * once for each number, as the contract with vendors says.
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * `hangTaken`: takes it and never answers. `hangLost`: neither. `failTaken`: takes it and answers
 * 503. `failLost`: answers 503 only. `decline`: answers that it takes nothing now.
 */
export type Fault = 'none' | 'hangTaken' | 'hangLost' | 'failTaken' | 'failLost' | 'decline'

export interface PlayedVendor {
  baseUrl: string
  /** Numbers that were paid, with how often they were asked for. */
  paid: Map<string, number>
  /** Instructions received. */
  received: string[]
  faultOf: (platformOrderNo: string) => Fault
  /** Ends every connection and takes no other. */
  stop(): Promise<void>
  /** Listens again at the same address. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function playVendor(name: string): Promise<PlayedVendor> {
  const server: Server = createServer((request, response) => {
    const number = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
    if (request.method === 'GET') {
      // a vendor that fails answers no question either
      const fault = vendor.faultOf(number)
      if (fault.startsWith('hang')) return
      if (fault.startsWith('fail')) response.writeHead(503).end()
      else if (vendor.paid.has(number))
        reply(response, { state: 'success', vendorOrderNo: `${name}-${number}`, utr: null })
      else response.writeHead(404).end('{}')
      return
    }
    void text(request).then((body) => {
      const { platformOrderNo } = JSON.parse(body) as { platformOrderNo: string }
      vendor.received.push(platformOrderNo)
      const fault = vendor.faultOf(platformOrderNo)
      if (fault === 'none' || fault.endsWith('Taken'))
        vendor.paid.set(platformOrderNo, (vendor.paid.get(platformOrderNo) ?? 0) + 1)
      if (fault.startsWith('hang')) return
      if (fault.startsWith('fail')) response.writeHead(503).end()
      else if (fault === 'decline')
        reply(response, { accepted: false, reason: 'Limit reached', final: false })
      else reply(response, { accepted: true, vendorOrderNo: `${name}-${platformOrderNo}` })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const vendor: PlayedVendor = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    paid: new Map(),
    received: [],
    faultOf: () => 'none',
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
    start: () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done)),
    async close() {
      if (server.listening) await vendor.stop()
    },
  }
  return vendor
}

function reply(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
