import type { FastifyInstance } from 'fastify'
import { reportError as reportCall } from '#shared/errors/errors-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand } from '#gateway/manage/kernel/serve.ts'
import { reportError } from './report-error.ts'

export function errorsRoutes(app: FastifyInstance, context: AppContext): void {
  serveCommand(app, context, reportCall, (tx, input) => reportError(tx, input))
}
