import type { FastifyInstance } from 'fastify'
import * as emi from '#shared/vendors/emi-services-api.ts'
import * as api from '#shared/vendors/vendors-api.ts'
import type { FeatureSetup } from '#gateway/manage/kernel/feature.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { flushVendors } from './flush-vendors.ts'
import { generateServices } from './generate-services.ts'
import { saveEmiService } from './save-emi-service.ts'
import { addService, editService, setServiceStatus } from './save-service.ts'
import { addConfiguration, addThirdParty, setConfigurationStatus } from './third-party-store.ts'
import {
  configurationsOf,
  listConfigurations,
  listEmiApps,
  listServiceApps,
  listServices,
  listThirdParties,
} from './vendor-queries.ts'

export function vendorsRoutes(
  app: FastifyInstance,
  { context, settings }: Pick<FeatureSetup, 'context' | 'settings'>,
): void {
  serveQuery(app, context, api.listServices, ({ db }, input) => listServices(db, input))
  serveQuery(app, context, api.listConfigurations, ({ db }, input) => listConfigurations(db, input))
  serveQuery(app, context, api.listThirdParties, ({ db }, input) => listThirdParties(db, input))
  serveQuery(app, context, api.configurationsOf, ({ db }, input) => configurationsOf(db, input))
  serveQuery(app, context, api.listServiceApps, ({ db }) => listServiceApps(db))
  serveQuery(app, context, emi.listEmiServices, ({ db }, input) => listServices(db, input, true))
  serveQuery(app, context, emi.listEmiApps, ({ db }) => listEmiApps(db))
  serveCommand(app, context, emi.saveEmiService, saveEmiService)
  serveCommand(app, context, api.addService, async (tx, input) => ({
    id: await addService(tx, input),
  }))
  serveCommand(app, context, api.editService, async (tx, input) => {
    await editService(tx, input)
    return { id: input.id }
  })
  serveCommand(app, context, api.setServiceStatus, setServiceStatus)
  serveCommand(app, context, api.addThirdParty, async (tx, input) => ({
    thirdPartyId: await addThirdParty(tx, input),
  }))
  serveCommand(app, context, api.addConfiguration, async (tx, input) => ({
    cfgId: await addConfiguration(tx, input, { allowPrivate: settings.privateVendors }),
  }))
  serveCommand(app, context, api.setConfigurationStatus, setConfigurationStatus)
  serveCommand(app, context, api.flushVendors, async (tx) => ({ count: await flushVendors(tx) }))
  serveCommand(app, context, api.generateServices, generateServices)
}
