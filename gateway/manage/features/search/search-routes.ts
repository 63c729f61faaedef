import type { FastifyInstance } from 'fastify'
import { searchRecords } from '#shared/search/search-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { searchRecordsFor } from './search-queries.ts'

export function searchRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, searchRecords, (query, { text }) => searchRecordsFor(query, text))
}
