import type { FastifyInstance } from 'fastify'
import * as api from '#shared/notices/notices-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findNotifications } from './notification-queries.ts'
import { readNotifications } from './read-notifications.ts'

export function noticesRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listNotifications, ({ db, actor }, input) => findNotifications(db, actor.userId, input))
  serveCommand(app, house, api.readNotifications, (cx, input) => readNotifications(cx, input))
}
