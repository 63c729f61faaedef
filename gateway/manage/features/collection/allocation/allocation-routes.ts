/** Routes of the allocation desk and of moves between people and units. */
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/collection/allocation-api.ts'
import {
  allocateCases as allocateCall,
  recallCases as recallCall,
} from '#shared/collection/cases-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { decideChange, launchChange } from '../changes/change-cases.ts'
import { changeEnds, weighChange } from '../changes/change-ends.ts'
import { listChanges, listMoves } from '../changes/change-queries.ts'
import { allocateCases, recallCases } from './allocate-cases.ts'
import { allocationDesk, listRuns } from './desk-queries.ts'
import { previewAllocation } from './preview.ts'
import { autoAllocate } from './start-run.ts'
import { steerRun } from './steer-run.ts'
import { undoRun } from './undo-run.ts'

export function allocationRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.allocationDesk, ({ db, actor }) =>
    allocationDesk(db, actor, context.parameters),
  )
  serveCommand(app, context, api.previewAllocation, previewAllocation)
  serveCommand(app, context, api.autoAllocate, autoAllocate)
  serveQuery(app, context, api.listRuns, ({ db, actor }, input) => listRuns(db, actor, input))
  serveCommand(app, context, api.steerRun, steerRun)
  serveCommand(app, context, api.undoRun, undoRun)

  serveCommand(app, context, allocateCall, allocateCases)
  serveCommand(app, context, recallCall, recallCases)

  serveQuery(app, context, api.listChanges, ({ db, actor }, input) => listChanges(db, actor, input))
  serveQuery(app, context, api.listMoves, ({ db, actor }, input) => listMoves(db, actor, input))
  serveQuery(app, context, api.changeEnds, ({ db, actor }) => changeEnds(db, actor))
  serveQuery(app, context, api.weighChange, ({ db, actor }, input) => weighChange(db, actor, input))
  serveCommand(app, context, api.launchChange, launchChange)
  serveCommand(app, context, api.decideChange, decideChange)
}
