/** Routes of the allocation desk and of moves between people and units. */
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/collection/allocation-api.ts'
import {
  allocateCases as allocateCall,
  recallCases as recallCall,
} from '#shared/collection/cases-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { decideChange, launchChange } from '../changes/change-cases.ts'
import { changeEnds, weighChange } from '../changes/change-ends.ts'
import { listChanges, listMoves } from '../changes/change-queries.ts'
import { allocateCases, recallCases } from './allocate-cases.ts'
import { allocationDesk, listRuns } from './desk-queries.ts'
import { previewAllocation } from './preview.ts'
import { autoAllocate, steerRun } from './run.ts'
import { undoRun } from './undo-run.ts'

export function allocationRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.allocationDesk, ({ db, actor }) =>
    allocationDesk(db, actor, house.parameters),
  )
  serveCommand(app, house, api.previewAllocation, previewAllocation)
  serveCommand(app, house, api.autoAllocate, autoAllocate)
  serveQuery(app, house, api.listRuns, ({ db, actor }, input) => listRuns(db, actor, input))
  serveCommand(app, house, api.steerRun, steerRun)
  serveCommand(app, house, api.undoRun, undoRun)

  serveCommand(app, house, allocateCall, allocateCases)
  serveCommand(app, house, recallCall, recallCases)

  serveQuery(app, house, api.listChanges, ({ db, actor }, input) => listChanges(db, actor, input))
  serveQuery(app, house, api.listMoves, ({ db, actor }, input) => listMoves(db, actor, input))
  serveQuery(app, house, api.changeEnds, ({ db, actor }) => changeEnds(db, actor))
  serveQuery(app, house, api.weighChange, ({ db, actor }, input) => weighChange(db, actor, input))
  serveCommand(app, house, api.launchChange, launchChange)
  serveCommand(app, house, api.decideChange, decideChange)
}
