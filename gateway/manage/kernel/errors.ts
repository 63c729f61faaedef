import type { FastifyError, FastifyInstance } from 'fastify'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  BAD_REQUEST,
  BUSY,
  NOT_AVAILABLE,
  NO_SUCH_CALL,
  Problem,
  SESSION_EXPIRED,
  TOO_LARGE,
} from '#shared/kernel/problem.ts'
import { expiredText } from '#shared/kernel/expired-texts.ts'
import { refusalAnswer } from './command.ts'

/**
 * Every failure becomes the envelope here, once. Expected refusals are not logged as errors; the
 * others reveal nothing internal to the caller.
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem | IllegalTransition, request, reply) => {
    reply
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
    if (error instanceof Problem) {
      if (error.id === SESSION_EXPIRED.id)
        error.message = expiredText(request.headers['accept-language'])
      return reply.code(error.httpStatus).send(refusalAnswer(error))
    }
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
    if (isBusy(error)) {
      request.log.warn({ err: error, route: request.routeOptions.url }, 'a statement was ended')
      return reply
        .code(503)
        .header('retry-after', '2')
        .send(refusalAnswer(new Problem(BUSY)))
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
      .send(refusalAnswer(new Problem(NO_SUCH_CALL))),
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
 * The connection is gone or refused, the server is starting or stopping or ended an idle
 * transaction, or none became free in time: nothing was done, the same may be asked again.
 */
function isOutage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return false
  return (
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '25P03' ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'CONNECTION_WAIT_TIMEOUT'].includes(code)
  )
}

/** Ended by a time limit (57014) or at a lock (55P03): its transaction was undone. */
export function isBusy(error: unknown): boolean {
  return ['57014', '55P03'].includes(String((error as { code?: unknown }).code))
}
