/**
 * `GET /presence/list`: presence is kept in the edge, so the edge answers; manage decides whether
 * the caller may join the room.
 */
import type { FastifyInstance } from 'fastify'
import { BAD_REQUEST, FORBIDDEN, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import { refuse } from '#gateway/edge/answers.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import { API_BASE } from '#gateway/edge/paths.ts'
import type { Presence } from '#gateway/edge/sockets/presence.ts'
import type { RightsClient } from '#gateway/edge/sockets/rights-client.ts'

const WATCH = /^[a-z]{1,20}:[A-Za-z0-9._:-]{1,64}$/

export function servePresence(
  app: FastifyInstance,
  questions: RightsClient,
  addressOf: AddressOf,
  presence: () => Presence,
): void {
  app.get(`${API_BASE}/presence/list`, async (request, reply) => {
    const { watch } = request.query as { watch?: unknown }
    const token = request.headers.authorization
    if (!token) return refuse(reply, SESSION_EXPIRED, {}, 200)
    if (typeof watch !== 'string' || !WATCH.test(watch)) return refuse(reply, BAD_REQUEST, {}, 200)
    const fetchSite = request.headers['sec-fetch-site']
    const answer = await questions.query({
      token,
      cookie: request.headers.cookie,
      fetchSite: typeof fetchSite === 'string' ? fetchSite : undefined,
      address: addressOf(request.raw),
      watches: [watch],
    })
    void reply.header('cache-control', 'no-store')
    if (answer.kind !== 'yes') {
      request.bodyCode = answer.envelope.code
      return reply.code(answer.kind === 'down' ? 503 : 200).send(answer.envelope)
    }
    if (answer.renewed) void reply.header('authorization', answer.renewed)
    if (answer.data.refused.includes(watch)) return refuse(reply, FORBIDDEN, {}, 200)
    request.bodyCode = 200
    return reply.send({
      code: 200,
      msg: '',
      data: presence().members(watch, answer.data.circle ?? null),
    })
  })
}
