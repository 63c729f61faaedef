import type { FastifyInstance } from 'fastify'
import * as api from '#shared/views/views-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { deleteView } from './delete-view.ts'
import { saveView } from './save-view.ts'
import { viewsOf } from './view-queries.ts'

export function viewsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listViews, ({ db, actor }, { menu }) =>
    viewsOf(db, actor.userId, menu),
  )
  serveCommand(app, context, api.saveView, async (tx, input) => ({
    viewId: await saveView(tx, input),
  }))
  serveCommand(app, context, api.deleteView, async (tx, { viewId }) => {
    await deleteView(tx, viewId)
    return null
  })
}
