import type { FastifyInstance } from 'fastify'
import * as api from '#shared/preferences/preferences-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findPreferences } from './preference-queries.ts'
import { savePreferences } from './save-preferences.ts'

export function preferencesRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.getPreferences, ({ db, actor }) => findPreferences(db, actor.userId))
  serveCommand(app, context, api.savePreferences, (tx, input) => savePreferences(tx, input))
}
