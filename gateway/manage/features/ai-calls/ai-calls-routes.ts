import type { FastifyInstance } from 'fastify'
import * as api from '#shared/ai-calls/ai-calls-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachine } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import {
  addAiConfig,
  aiCallOptions,
  editAiConfig,
  listAiConfigs,
  setAiConfigStatus,
} from './ai-config-store.ts'
import { aiTaskDetail, caseAiCalls, listAiTasks } from './ai-task-queries.ts'
import { AI_CALLS } from './ai-call-job.ts'
import { createAiTasks } from './open-tasks.ts'
import { reportCall } from './receive-call.ts'
import { steerAiTasks } from './steer-tasks.ts'

export function aiCallsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listAiConfigs, ({ db }, input) => listAiConfigs(db, input))
  serveQuery(app, context, api.aiCallOptions, ({ db }) => aiCallOptions(db))
  serveQuery(app, context, api.listAiTasks, ({ db, actor }, input) => listAiTasks(db, actor, input))
  serveQuery(app, context, api.aiTaskDetail, ({ db, actor }, { taskId }) =>
    aiTaskDetail(db, actor, context.secrets, taskId),
  )
  serveQuery(app, context, api.caseAiCalls, ({ db, actor }, { caseId }) =>
    caseAiCalls(db, actor, context.secrets, caseId),
  )
  serveCommand(app, context, api.addAiConfig, async (tx, input) => ({
    configId: await addAiConfig(tx, input),
  }))
  serveCommand(app, context, api.editAiConfig, async (tx, input) => {
    await editAiConfig(tx, input)
    return { configId: input.configId }
  })
  serveCommand(app, context, api.setAiConfigStatus, async (tx, input) => {
    await setAiConfigStatus(tx, input)
    return { configId: input.configId }
  })
  serveCommand(app, context, api.createAiTasks, async (tx, input) => {
    tx.afterCommit(() => context.wakeSchedule(AI_CALLS))
    return createAiTasks(tx, input)
  })
  serveCommand(app, context, api.steerAiTasks, async (tx, input) => {
    tx.afterCommit(() => context.wakeSchedule(AI_CALLS))
    return steerAiTasks(tx, input)
  })
  serveMachine(app, context, api.inboundAiCall, reportCall)
}
