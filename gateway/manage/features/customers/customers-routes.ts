import type { FastifyInstance } from 'fastify'
import { customerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import {
  addToBlacklist,
  customerOptions,
  listBlacklist,
  listCustomers,
  removeFromBlacklist,
} from '#shared/customers/customer-list-api.ts'
import { revealField } from '#shared/customers/reveal-api.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import {
  addToBlacklist as add,
  removeFromBlacklist as remove,
} from './blacklist/change-blacklist.ts'
import { openCustomer } from './detail/customer-detail.ts'
import { editContact as edit } from './edit-contact.ts'
import { blacklistPage } from './lists/blacklist-list.ts'
import { customerList, findCustomerOptions } from './lists/customer-list.ts'
import { openPhoto } from './open-photo.ts'
import { revealField as reveal } from './reveal-field.ts'

export function customersRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, listCustomers, ({ db, actor }, input) =>
    customerList(db, context.secrets, actor, input),
  )
  serveQuery(app, context, customerOptions, ({ db }) => findCustomerOptions(db))
  serveQuery(app, context, listBlacklist, ({ db, actor }, input) => blacklistPage(db, actor, input))
  serveCommand(app, context, addToBlacklist, (tx, input) => add(tx, input))
  serveCommand(app, context, removeFromBlacklist, (tx, input) => remove(tx, input))
  serveCommand(app, context, editContact, (tx, input) => edit(tx, input))
  void app.register(async (own) => {
    // The response of a keyed call is stored for repeats. Revealed values, photos and customer data
    // must not be stored, so each call runs and is logged on its own.
    own.addHook('preHandler', async (request) => {
      delete request.headers['idempotency-key']
    })
    serveCommand(own, context, revealField, (tx, input) => reveal(tx, input))
    serveCommand(own, context, customerPhoto, (tx, { photoId }) => openPhoto(tx, photoId))
    serveCommand(own, context, customerDetail, (tx, input) => openCustomer(tx, input))
  })
}
