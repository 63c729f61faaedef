/** Closed sets of scheduled tasks. */
export const TASK_STATES = ['enabled', 'disabled'] as const
export type TaskState = (typeof TASK_STATES)[number]

export const RUN_RESULTS = ['success', 'fail'] as const

/** Why administrators are notified: it did not run in time, or failed three times in a row. */
export const TASK_ALERTS = ['late', 'failing'] as const
export type TaskAlert = (typeof TASK_ALERTS)[number]

/** No task runs more often. */
export const LEAST_SECONDS = 2

/** Its alerts would be missing without anybody being notified. */
export const WATCH_CLASS = 'taskWatch'
