import type { FastifyInstance } from 'fastify'
import * as api from '#shared/views/views-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { deleteView } from './delete-view.ts'
import { saveView } from './save-view.ts'
import { viewsOf } from './view-queries.ts'

export function viewsRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listViews, ({ db, actor }, { menu }) =>
    viewsOf(db, actor.userId, menu),
  )
  serveCommand(app, house, api.saveView, async (cx, input) => ({
    viewId: await saveView(cx, input),
  }))
  serveCommand(app, house, api.deleteView, async (cx, { viewId }) => {
    await deleteView(cx, viewId)
    return null
  })
}
