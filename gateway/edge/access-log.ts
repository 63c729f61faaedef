/**
 * One line and one count per answer: method, path without query, status, body code, time, bytes.
 * Never a query or a body.
 */
import type { FastifyInstance } from 'fastify'
import type { HttpMetrics } from '#gateway/kernel/metrics.ts'
import { loggedPath, pathOf, routeNames } from '#gateway/edge/paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** `code` of the envelope answered; 0 = the answer has none. */
    bodyCode: number
    /** Body bytes of a proxied answer. */
    sentBytes: number
  }
}

export function logAccess(app: FastifyInstance, metrics: HttpMetrics): void {
  const routeName = routeNames()
  app.decorateRequest('bodyCode', 0)
  app.decorateRequest('sentBytes', 0)
  app.addHook('onResponse', (request, reply, done) => {
    const path = pathOf(request.raw.url ?? '')
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const bytes = request.sentBytes || Number(reply.raw.getHeader('content-length') ?? 0)
    metrics.observe(
      request.method,
      routeName(path),
      request.bodyCode || reply.statusCode,
      ms / 1000,
    )
    request.log.info(
      {
        method: request.method,
        path: loggedPath(path),
        status: reply.raw.statusCode,
        code: request.bodyCode || undefined,
        ms,
        bytes,
      },
      'answered',
    )
    done()
  })
}
