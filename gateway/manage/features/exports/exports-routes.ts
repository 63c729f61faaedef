import type { FastifyInstance } from 'fastify'
import * as api from '#shared/exports/exports-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveAfterReading, serveCommand } from '#gateway/manage/kernel/serve.ts'
import { downloadExport } from './download-export.ts'
import { countExport, startExport } from './start-export.ts'

export function exportsRoutes(app: FastifyInstance, house: House): void {
  serveAfterReading(app, house, api.startExport, countExport, startExport)
  serveCommand(app, house, api.downloadExport, (cx, { jobId }) => downloadExport(cx, jobId))
}
