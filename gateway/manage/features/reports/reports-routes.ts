import type { FastifyInstance } from 'fastify'
import { channelReport as channelCall } from '#shared/reports/channel-api.ts'
import { reportOptions as optionsCall } from '#shared/reports/reports-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { channelReport } from './channel-report.ts'
import { reportOptions } from './report-options.ts'

export function reportsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, optionsCall, ({ db }) => reportOptions(db))
  serveQuery(app, context, channelCall, ({ db }, input) => channelReport(db, input))
}
