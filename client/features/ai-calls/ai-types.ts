import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type {
  addAiConfig,
  aiCallOptions,
  aiTaskDetail,
  caseAiCalls,
  listAiConfigs,
  listAiTasks,
} from '#shared/ai-calls/ai-calls-api.ts'

export type AiConfig = DataOf<typeof listAiConfigs>['rows'][number]
export type AiConfigFields = InputOf<typeof addAiConfig>
export type AiOptions = DataOf<typeof aiCallOptions>
export type AiTask = DataOf<typeof listAiTasks>['rows'][number]
export type AiCall = DataOf<typeof aiTaskDetail>['calls'][number]
export type CaseAiTask = DataOf<typeof caseAiCalls>['tasks'][number]
