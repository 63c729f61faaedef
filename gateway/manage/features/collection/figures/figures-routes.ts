import type { FastifyInstance } from 'fastify'
import * as api from '#shared/collection/figures-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { agencyFigures, agencyLines } from './agency-figures.ts'
import { billList, reductionBillList } from './bills.ts'
import { performance } from './performance.ts'

export function figuresRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listPerformance, ({ db, actor }, input) =>
    performance(db, actor, input),
  )
  serveQuery(app, context, api.agencyDetail, ({ db, actor }, input) =>
    agencyFigures(db, actor, input),
  )
  serveQuery(app, context, api.listAgencyLines, ({ db, actor }, input) =>
    agencyLines(db, actor, input),
  )
  serveQuery(app, context, api.listBills, ({ db, actor }, input) => billList(db, actor, input))
  serveQuery(app, context, api.listReductionBills, ({ db, actor }, input) =>
    reductionBillList(db, actor, input),
  )
}
