import type { FastifyInstance } from 'fastify'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { apiDescription } from '#shared/session/session-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'

/** The OpenAPI description generated from the endpoints, for the page at `/docs`. */
export function docsRoutes(app: FastifyInstance, house: House, production: boolean): void {
  serveQuery(app, house, apiDescription, async ({ actor }) => {
    if (production && actor.rights.roleMark !== ADMINISTRATOR) throw new Problem(FORBIDDEN)
    return app.swagger()
  })
}
