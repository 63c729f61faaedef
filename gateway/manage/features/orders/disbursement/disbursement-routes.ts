import type { FastifyInstance } from 'fastify'
import * as api from '#shared/orders/disbursement-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { handleTransfer } from './handle-transfer.ts'
import { listLoans, listTransfers, listWaiting, payoutVendors } from './loan-queries.ts'
import { cancelDisbursements, previewFailed, redisburse } from './retry-payouts.ts'

export function disbursementRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listLoans, ({ db, actor }, input) =>
    listLoans(db, actor, input, house.secrets),
  )
  serveQuery(app, house, api.listTransfers, ({ db, actor }, input) =>
    listTransfers(db, actor, input),
  )
  serveQuery(app, house, api.listWaiting, ({ db, actor }, input) => listWaiting(db, actor, input))
  serveQuery(app, house, api.payoutVendors, ({ db }) => payoutVendors(db))
  serveQuery(app, house, api.previewFailed, ({ db, actor }, input) =>
    previewFailed(db, actor, input),
  )
  serveCommand(app, house, api.redisburse, redisburse)
  serveCommand(app, house, api.cancelDisbursement, cancelDisbursements)
  serveCommand(app, house, api.handleTransfer, handleTransfer)
}
