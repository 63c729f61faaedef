import type { FastifyInstance } from 'fastify'
import * as api from '#shared/products/emi-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachineQuery } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { listConfig, listInfo, offerOfToday } from './emi-queries.ts'
import { saveConfig, saveInfo } from './save-emi.ts'

export function emiRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listEmiInfo, ({ db }, input) => listInfo(db, input))
  serveQuery(app, context, api.listEmiConfig, ({ db }, input) => listConfig(db, input))
  serveCommand(app, context, api.saveEmiInfo, saveInfo)
  serveCommand(app, context, api.saveEmiConfig, saveConfig)
  serveMachineQuery(app, context, api.inboundEmiOffer, offerOfToday)
}
