import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/products/apps-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachineQuery } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { appForm, appOfInstallation, listApps, listGroups, newAppForm } from './app-queries.ts'
import { addApp, addGroup, editApp, emitApps } from './save-app.ts'

export function appsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listApps, ({ db }, input) => listApps(db, input))
  serveQuery(app, context, api.listGroups, ({ db }) => listGroups(db))
  serveQuery(app, context, api.newAppForm, ({ db }, input) => newAppForm(db, input))
  serveQuery(app, context, api.appForm, ({ db }, { appId }) => appForm(db, appId))
  serveMachineQuery(app, context, api.inboundApp, appOfInstallation)
  serveCommand(app, context, api.addGroup, async (tx, input) => ({
    groupId: await addGroup(tx, input),
  }))
  serveCommand(app, context, api.addApp, async (tx, input) => ({ appId: await addApp(tx, input) }))
  serveCommand(app, context, api.editApp, async (tx, input) => {
    await editApp(tx, input)
    return { appId: input.appId }
  })
  // nothing is cached on the server: only the consoles read again
  serveCommand(app, context, api.refreshApps, async (tx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from app a`.execute(tx.db)
    emitApps(tx, [])
    return { count: rows[0]?.count ?? 0 }
  })
}
