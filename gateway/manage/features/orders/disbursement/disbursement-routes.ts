import type { FastifyInstance } from 'fastify'
import * as api from '#shared/orders/disbursement-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { requestEnd } from './end-transfer.ts'
import { handleTransfer } from './handle-transfer.ts'
import { listLoans, listTransfers, listWaiting } from './loan-queries.ts'
import { payoutVendors } from './payout-vendor-queries.ts'
import { requestResolution } from './resolve-conflict.ts'
import { requestStrayReturn } from './return-stray.ts'
import { cancelDisbursements, previewFailed, redisburse } from './retry-payouts.ts'

export function disbursementRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listLoans, ({ db, actor }, input) =>
    listLoans(db, actor, input, context.secrets),
  )
  serveQuery(app, context, api.listTransfers, ({ db, actor }, input) =>
    listTransfers(db, actor, input),
  )
  serveQuery(app, context, api.listWaiting, ({ db, actor }, input) => listWaiting(db, actor, input))
  serveQuery(app, context, api.payoutVendors, ({ db, actor }, input) =>
    payoutVendors(db, actor, input),
  )
  serveQuery(app, context, api.previewFailed, ({ db, actor }, input) =>
    previewFailed(db, actor, input),
  )
  serveCommand(app, context, api.redisburse, redisburse)
  serveCommand(app, context, api.cancelDisbursement, cancelDisbursements)
  serveCommand(app, context, api.handleTransfer, handleTransfer)
  serveCommand(app, context, api.endTransfer, requestEnd)
  serveCommand(app, context, api.resolveTransfer, requestResolution)
  serveCommand(app, context, api.bookStrayReturn, requestStrayReturn)
}
