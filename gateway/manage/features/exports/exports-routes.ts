import type { FastifyInstance } from 'fastify'
import * as api from '#shared/exports/exports-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand } from '#gateway/manage/kernel/serve.ts'
import { downloadExport } from './download-export.ts'
import { startExport } from './start-export.ts'

export function exportsRoutes(app: FastifyInstance, house: House): void {
  serveCommand(app, house, api.startExport, async (cx, input) => ({ jobId: await startExport(cx, input) }))
  serveCommand(app, house, api.downloadExport, (cx, { jobId }) => downloadExport(cx, jobId))
}
