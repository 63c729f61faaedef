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
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { caseContacts } from './cases/case-contacts.ts'
import { caseDetail } from './cases/case-detail.ts'
import { caseList } from './cases/case-list.ts'
import { deskFigures } from './cases/desk-figures.ts'
import { firstContactable } from './cases/first-contactable.ts'
import { followList } from './cases/follow-list.ts'
import { revealPhone } from './cases/reveal-phone.ts'
import { addStop, decideStops, resumeStops } from './stops/stop-collection.ts'
import { openStopFile } from './stops/stop-files.ts'
import { stopList } from './stops/stop-list.ts'
import { callBorrower } from './work/call-borrower.ts'
import { endCase } from './work/end-case.ts'
import { followCase } from './work/follow-case.ts'
import { noteCase } from './work/note-case.ts'

export function workRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listCases, ({ db, actor }, input) =>
    caseList(db, actor, context.secrets, input),
  )
  serveQuery(app, context, api.deskFigures, ({ db, actor }) =>
    deskFigures(db, actor, context.parameters),
  )
  serveQuery(app, context, api.caseDetail, ({ db, actor }, { caseId }) =>
    caseDetail(db, actor, caseId),
  )
  serveQuery(app, context, api.firstContactable, ({ db, actor }, input) =>
    firstContactable(db, actor, input),
  )
  serveQuery(app, context, api.listFollows, ({ db, actor }, input) => followList(db, actor, input))

  serveCommand(app, context, api.followCase, followCase)
  serveCommand(app, context, api.noteCase, noteCase)
  serveCommand(app, context, api.endCase, endCase)

  serveQuery(app, context, listStops, ({ db, actor }, input) => stopList(db, actor, input))
  serveUpload(app, context, addStopCall, addStop)
  serveCommand(app, context, stopFile, openStopFile)
  serveCommand(app, context, decideStopsCall, decideStops)
  serveCommand(app, context, resumeStopsCall, resumeStops)

  void app.register(async (own) => {
    // A keyed call stores its answer for replay. A revealed number must not be stored, so these
    // calls take no key and are logged.
    own.addHook('preHandler', async (request) => {
      delete request.headers['idempotency-key']
    })
    serveCommand(own, context, api.caseContacts, caseContacts)
    serveCommand(own, context, api.callBorrower, callBorrower)
    serveCommand(own, context, api.revealPhone, revealPhone)
  })
}
