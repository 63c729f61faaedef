import type { Static } from 'typebox'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { taskDetail, TeleRow as TeleRowSchema } from '#shared/telemarketing/tele-api.ts'

export type TeleRow = Static<typeof TeleRowSchema>
export type TaskDetail = DataOf<typeof taskDetail>
