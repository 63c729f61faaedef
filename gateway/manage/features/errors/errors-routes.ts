import type { FastifyInstance } from 'fastify'
import { reportError as reportCall } from '#shared/errors/errors-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand } from '#gateway/manage/kernel/serve.ts'
import { reportError } from './report-error.ts'

export function errorsRoutes(app: FastifyInstance, house: House): void {
  serveCommand(app, house, reportCall, (cx, input) => reportError(cx, input))
}
