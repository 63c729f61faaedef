/** The edge as main.ts starts it, with limits wide enough for a whole floor behind one address. */
import type { AddressInfo } from 'node:net'
import { buildEdge } from '#gateway/edge/edge.ts'
import type { EdgeLimits } from '#gateway/edge/limits.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { createRegistry } from '#gateway/kernel/metrics.ts'
import { WIDE_LIMITS } from '#tests/support/wide-limits.ts'
import { serveBench } from './child.ts'

export interface EdgeSettings {
  manageUrl: string
  feedUrl: string
  secret: string
  staticDir: string | null
  /** Overrides the wide limits. */
  limits?: Partial<EdgeLimits>
}

let port = 0

serveBench({
  async start({ manageUrl, feedUrl, secret, staticDir, limits }: EdgeSettings) {
    const edge = await buildEdge({
      registry: createRegistry({ process: true }),
      cores: [{ calls: manageUrl, internal: feedUrl }],
      feedSecret: secret,
      staticDir,
      publicOrigins: null,
      redisUrl: null,
      logger: createLogger('error'),
      secure: false,
      limits: { ...WIDE_LIMITS, ...limits },
    })
    await edge.start()
    await edge.fastify.listen({ host: '127.0.0.1', port: 0 })
    port = (edge.fastify.server.address() as AddressInfo).port
  },
  url: () => `http://127.0.0.1:${port}`,
})
