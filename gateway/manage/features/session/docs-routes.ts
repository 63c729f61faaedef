import type { FastifyInstance } from 'fastify'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { apiDescription } from '#shared/session/session-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'

/** The OpenAPI description generated from the endpoints, for the page `/docs`. */
export function docsRoutes(app: FastifyInstance, context: AppContext, production: boolean): void {
  serveQuery(app, context, apiDescription, async ({ actor }) => {
    if (production && actor.rights.roleMark !== ADMINISTRATOR) throw new Problem(FORBIDDEN)
    return app.swagger()
  })
}
