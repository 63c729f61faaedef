import type { FastifyInstance } from 'fastify'
import * as api from '#shared/preferences/preferences-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findPreferences } from './preference-queries.ts'
import { savePreferences } from './save-preferences.ts'

export function preferencesRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.getPreferences, ({ db, actor }) => findPreferences(db, actor.userId))
  serveCommand(app, house, api.savePreferences, (cx, input) => savePreferences(cx, input))
}
