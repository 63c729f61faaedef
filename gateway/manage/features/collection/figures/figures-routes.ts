import type { FastifyInstance } from 'fastify'
import * as api from '#shared/collection/figures-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { agencyFigures, agencyLines } from './agency-figures.ts'
import { billList, reductionBillList } from './bills.ts'
import { performance } from './performance.ts'

export function figuresRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listPerformance, ({ db, actor }, input) =>
    performance(db, actor, input),
  )
  serveQuery(app, house, api.agencyDetail, ({ db, actor }, input) =>
    agencyFigures(db, actor, input),
  )
  serveQuery(app, house, api.listAgencyLines, ({ db, actor }, input) =>
    agencyLines(db, actor, input),
  )
  serveQuery(app, house, api.listBills, ({ db, actor }, input) => billList(db, actor, input))
  serveQuery(app, house, api.listReductionBills, ({ db, actor }, input) =>
    reductionBillList(db, actor, input),
  )
}
