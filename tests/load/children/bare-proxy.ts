/** Baseline of the hop: the proxy library alone. */
import type { AddressInfo } from 'node:net'
import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { serveBench } from './child.ts'

let url = ''

serveBench({
  async start({ manageUrl }: { manageUrl: string }) {
    const app = Fastify({ logger: false })
    await app.register(httpProxy, {
      upstream: manageUrl,
      prefix: '/api/manage',
      rewritePrefix: '/api/manage',
      disableRequestLogging: true,
      undici: { connections: 64, pipelining: 1 },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  },
  url: () => url,
})
