/** Routes of the collectors' work: lists and detail, contacts and follow-ups, stops. */
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/collection/cases-api.ts'
import {
  addStop as addStopCall,
  decideStops as decideStopsCall,
  listStops,
  resumeStops as resumeStopsCall,
  stopFile,
} from '#shared/collection/stops-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { caseContacts } from './cases/case-contacts.ts'
import { caseDetail } from './cases/case-detail.ts'
import { caseList } from './cases/case-list.ts'
import { deskFigures } from './cases/desk-figures.ts'
import { followList } from './cases/follow-list.ts'
import { revealPhone } from './cases/reveal-phone.ts'
import { addStop, decideStops, resumeStops } from './stops/stop-collection.ts'
import { openStopFile } from './stops/stop-files.ts'
import { stopList } from './stops/stop-list.ts'
import { callBorrower } from './work/call-borrower.ts'
import { endCase } from './work/end-case.ts'
import { followCase } from './work/follow-case.ts'

export function workRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listCases, ({ db, actor }, input) =>
    caseList(db, actor, house.secrets, input),
  )
  serveQuery(app, house, api.deskFigures, ({ db, actor }) =>
    deskFigures(db, actor, house.parameters),
  )
  serveQuery(app, house, api.caseDetail, ({ db, actor }, { caseId }) =>
    caseDetail(db, actor, caseId),
  )
  serveQuery(app, house, api.listFollows, ({ db, actor }, input) => followList(db, actor, input))

  serveCommand(app, house, api.followCase, followCase)
  serveCommand(app, house, api.endCase, endCase)

  serveQuery(app, house, listStops, ({ db, actor }, input) => stopList(db, actor, input))
  serveUpload(app, house, addStopCall, addStop)
  serveCommand(app, house, stopFile, openStopFile)
  serveCommand(app, house, decideStopsCall, decideStops)
  serveCommand(app, house, resumeStopsCall, resumeStops)

  void app.register(async (own) => {
    // The answer of a keyed call is stored to be given again; an opened number must not be, so each of these calls stands for itself and is logged.
    own.addHook('preHandler', async (request) => {
      delete request.headers['idempotency-key']
    })
    serveCommand(own, house, api.caseContacts, caseContacts)
    serveCommand(own, house, api.callBorrower, callBorrower)
    serveCommand(own, house, api.revealPhone, revealPhone)
  })
}
