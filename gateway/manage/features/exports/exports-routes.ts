import type { FastifyInstance } from 'fastify'
import * as api from '#shared/exports/exports-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveAfterReading, serveCommand } from '#gateway/manage/kernel/serve.ts'
import { downloadExport } from './download-export.ts'
import { countExport, startExport } from './start-export.ts'

export function exportsRoutes(app: FastifyInstance, context: AppContext): void {
  serveAfterReading(app, context, api.startExport, countExport, startExport)
  serveCommand(app, context, api.downloadExport, (tx, { jobId }) => downloadExport(tx, jobId))
}
