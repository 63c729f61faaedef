import type { FastifyError, FastifyInstance } from 'fastify'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  BAD_REQUEST,
  NOT_AVAILABLE,
  NOT_FOUND,
  Problem,
  TOO_LARGE,
} from '#shared/kernel/problem.ts'
import { refusalAnswer } from './command.ts'

/**
 * Every failure becomes the envelope here, once. Expected refusals are not logged as errors; the
 * others tell the caller nothing internal.
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem | IllegalTransition, request, reply) => {
    reply
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
    if (error instanceof Problem) return reply.code(error.httpStatus).send(refusalAnswer(error))
    if (error instanceof IllegalTransition) {
      const data = { state: error.state, event: error.event, allowed: error.allowed }
      return reply.send(
        JSON.stringify({
          code: 400,
          msg: error.message,
          data,
          problem: { id: 'G-FLOW', params: { state: error.state, event: error.event } },
        }),
      )
    }
    const status = 'statusCode' in error ? error.statusCode : undefined
    if (status === 413) return reply.code(413).send(refusalAnswer(new Problem(TOO_LARGE, { n: 1 })))
    if (status !== undefined && status >= 400 && status < 500)
      return reply.send(refusalAnswer(new Problem(BAD_REQUEST)))
    if (isOutage(error)) {
      request.log.error({ err: error }, 'the database is not available')
      return reply
        .code(503)
        .header('retry-after', '2')
        .send(refusalAnswer(new Problem(NOT_AVAILABLE)))
    }
    request.log.error(
      { err: error, route: request.routeOptions.url, actor: request.actor?.userId ?? null },
      'unexpected failure',
    )
    return reply.code(500).send(
      JSON.stringify({
        code: 500,
        msg: 'Error',
        data: null,
        problem: { id: 'G500', params: {} },
      }),
    )
  })
  app.setNotFoundHandler((_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(refusalAnswer(new Problem(NOT_FOUND))),
  )
  app.addHook('onRoute', (route) => {
    if (
      route.method === 'HEAD' ||
      route.config?.endpoint ||
      (route.config as { open?: string } | undefined)?.open
    )
      return
    throw new TypeError(`route ${String(route.method)} ${route.url} has no declared endpoint`)
  })
}

/**
 * The connection is gone or refused, the server is starting or stopping, or none became free in
 * time: nothing was done, the same may be asked again.
 */
function isOutage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return false
  return (
    code.startsWith('08') ||
    code.startsWith('57P') ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'CONNECTION_WAIT_TIMEOUT'].includes(code)
  )
}
