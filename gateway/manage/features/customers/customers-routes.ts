import type { FastifyInstance } from 'fastify'
import { customerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import {
  addToBlacklist,
  customerOptions,
  listBlacklist,
  listCustomers,
  removeFromBlacklist,
} from '#shared/customers/customer-list-api.ts'
import { customerPhoto, revealField } from '#shared/customers/customers-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
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

export function customersRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, listCustomers, ({ db, actor }, input) =>
    customerList(db, house.secrets, actor, input),
  )
  serveQuery(app, house, customerOptions, ({ db }) => findCustomerOptions(db))
  serveQuery(app, house, listBlacklist, ({ db, actor }, input) => blacklistPage(db, actor, input))
  serveCommand(app, house, addToBlacklist, (cx, input) => add(cx, input))
  serveCommand(app, house, removeFromBlacklist, (cx, input) => remove(cx, input))
  serveCommand(app, house, editContact, (cx, input) => edit(cx, input))
  void app.register(async (own) => {
    // The answer of a keyed call is stored to be given again; an opened value, picture or customer must not be, so each call stands for itself and is logged.
    own.addHook('preHandler', async (request) => {
      delete request.headers['idempotency-key']
    })
    serveCommand(own, house, revealField, (cx, input) => reveal(cx, input))
    serveCommand(own, house, customerPhoto, (cx, { photoId }) => openPhoto(cx, photoId))
    serveCommand(own, house, customerDetail, (cx, input) => openCustomer(cx, input))
  })
}
