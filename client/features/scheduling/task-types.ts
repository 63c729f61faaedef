import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listTaskRecords, listTasks } from '#shared/scheduling/scheduling-api.ts'

export type Task = DataOf<typeof listTasks>['rows'][number]
export type TaskRecord = DataOf<typeof listTaskRecords>['rows'][number]
