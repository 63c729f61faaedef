import type { FastifyInstance } from 'fastify'
import * as api from '#shared/telemarketing/tele-api.ts'
import * as persons from '#shared/telemarketing/person-api.ts'
import { listRecords } from '#shared/telemarketing/record-api.ts'
import { teleTotal as teleTotalCall, totalRows } from '#shared/telemarketing/total-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { callTask } from './desk/call-task.ts'
import { claimTask } from './desk/claim-task.ts'
import { followTask } from './desk/follow-task.ts'
import { renewTask } from './desk/renew-task.ts'
import { releaseTask } from './desk/return-task.ts'
import { recordList } from './lists/record-list.ts'
import { taskDetail } from './lists/task-detail.ts'
import { taskList } from './lists/task-list.ts'
import { taskOptions } from './lists/task-options.ts'
import { nodeRoutes } from './nodes/node-routes.ts'
import { assignTasks, readAssignOptions } from './persons/assign-tasks.ts'
import { findPersons, readPersonOptions } from './persons/person-queries.ts'
import { addPerson, editPerson, openAllocation, setPersonStatus } from './persons/save-person.ts'
import { countedRows } from './totals/counted-rows.ts'
import { teleTotal } from './totals/tele-total.ts'

export function teleRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listTasks, taskList)
  serveQuery(app, context, api.taskOptions, taskOptions)
  serveQuery(app, context, api.taskDetail, taskDetail)
  serveQuery(app, context, listRecords, recordList)
  serveQuery(app, context, api.renewTask, renewTask)

  serveCommand(app, context, api.claimTask, claimTask)
  serveCommand(app, context, api.releaseTask, releaseTask)
  serveCommand(app, context, api.callTask, callTask)
  serveCommand(app, context, api.followTask, followTask)

  serveQuery(app, context, persons.listPersons, ({ db, actor }, input) =>
    findPersons(db, actor, input),
  )
  serveQuery(app, context, persons.personOptions, ({ db, actor }) => readPersonOptions(db, actor))
  serveQuery(app, context, persons.listTakers, ({ db, actor }, input) =>
    readAssignOptions(db, actor, input),
  )
  serveCommand(app, context, persons.addPerson, addPerson)
  serveCommand(app, context, persons.editPerson, editPerson)
  serveCommand(app, context, persons.openAllocation, openAllocation)
  serveCommand(app, context, persons.setPersonStatus, setPersonStatus)
  serveCommand(app, context, persons.assignTasks, assignTasks)

  serveQuery(app, context, teleTotalCall, ({ db, actor }, input) => teleTotal(db, actor, input))
  serveQuery(app, context, totalRows, countedRows)

  nodeRoutes(app, context)
}
