import type { FastifyInstance } from 'fastify'
import { searchRecords } from '#shared/search/search-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { searchRecordsFor } from './search-queries.ts'

export function searchRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, searchRecords, (query, { text }) => searchRecordsFor(query, text))
}
