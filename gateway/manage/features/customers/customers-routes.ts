import type { FastifyInstance } from 'fastify'
import { customerPhoto, revealField } from '#shared/customers/customers-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand } from '#gateway/manage/kernel/serve.ts'
import { openPhoto } from './open-photo.ts'
import { revealField as reveal } from './reveal-field.ts'

export function customersRoutes(app: FastifyInstance, house: House): void {
  void app.register(async (own) => {
    // The answer of a keyed call is stored to be given again; an opened value or picture must not be, so each call stands for itself and is logged.
    own.addHook('preHandler', async (request) => {
      delete request.headers['idempotency-key']
    })
    serveCommand(own, house, revealField, (cx, input) => reveal(cx, input))
    serveCommand(own, house, customerPhoto, (cx, { photoId }) => openPhoto(cx, photoId))
  })
}
