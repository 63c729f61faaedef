/** Refusals of the edge itself, in the envelope all calls share. */
import type { FastifyReply } from 'fastify'
import { type Envelope, fill, type ProblemKind } from '#shared/kernel/problem.ts'

type Params = Record<string, string | number>

export function problemBody(kind: ProblemKind, params: Params = {}): Envelope<null> {
  return {
    code: kind.code,
    msg: fill(kind.msg, params),
    data: null,
    problem: { id: kind.id, params },
  }
}

/** @param status HTTP status; the kind's own when absent */
export function refuse(
  reply: FastifyReply,
  kind: ProblemKind,
  params: Params = {},
  status = kind.httpStatus ?? 400,
): FastifyReply {
  reply.request.bodyCode = kind.code
  if (typeof params.s === 'number') void reply.header('retry-after', String(params.s))
  return reply.code(status).header('cache-control', 'no-store').send(problemBody(kind, params))
}
