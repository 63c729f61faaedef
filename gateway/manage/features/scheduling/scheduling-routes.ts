import type { FastifyInstance } from 'fastify'
import * as api from '#shared/scheduling/scheduling-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { requestRun } from './request-run.ts'
import { editTask, nextRunsOf } from './edit-task.ts'
import { switchTask } from './switch-task.ts'
import { listTaskRecords, listTasks } from './task-queries.ts'

export function schedulingRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listTasks, ({ db }, input) =>
    listTasks(db, context.taskClasses(), input),
  )
  serveQuery(app, context, api.listTaskRecords, ({ db }, input) => listTaskRecords(db, input))
  serveQuery(app, context, api.nextRunsOf, ({ db }, input) => nextRunsOf(db, input))
  serveCommand(app, context, api.editTask, (tx, input) => editTask(tx, input))
  serveCommand(app, context, api.setTaskStatus, (tx, input) => switchTask(tx, input))
  serveCommand(app, context, api.runTask, (tx, input) => requestRun(tx, input))
}
