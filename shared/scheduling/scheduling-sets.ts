/** Closed sets of scheduled tasks. */
export const TASK_STATES = ['enabled', 'disabled'] as const
export type TaskState = (typeof TASK_STATES)[number]

export const RUN_RESULTS = ['success', 'fail'] as const

/**
 * What a run counts. Of rows unless said otherwise; the client has a label for each. Reasons for which
 * an approved order is not paid out yet are named as the guard of the payout names them.
 */
export const RUN_COUNTS = [
  'sent',
  'notReached',
  'started',
  'created',
  'opened',
  'updated',
  'checked',
  'judged',
  'moved',
  'marked',
  'held',
  'recalled',
  'returned',
  'released',
  'distributed',
  'handedOver',
  'handoversEnded',
  'dialled',
  'polled',
  'answered',
  'warned',
  'notified',
  'escalated',
  'limitsCrossed',
  'toManualReview',
  'retried',
  'later',
  'passedOn',
  'refused',
  'failed',
  /** The process of the run ended in its middle. */
  'interrupted',
  'late',
  'ended',
  'expired',
  'erased',
  'removed',
  'monthsRemoved',
  'eventsRemoved',
  'keysRemoved',
  'resealed',
  'promisesBroken',
  'withoutLine',
  'withoutVendor',
  'lost',
  'unavailable',
  /** Number of the entry of the operate log where its chain is broken. */
  'brokenAt',
  'days',
  'stages',
  'loans',
  'overdue',
  'badDebts',
  /** Paise. */
  'fines',
  'files',
  'megabytes',
  /** Milliseconds for which writes waited. */
  'heldMs',
  'cardNotBound',
  'nameSimilarity',
  'kfsNotAccepted',
  'blacklisted',
  'productClosed',
  'quotaExceeded',
  'noVendor',
] as const
export type RunCount = (typeof RUN_COUNTS)[number]
export type RunCounts = Partial<Record<RunCount, number>>

/** Why administrators are notified: it did not run in time, or failed three times in a row. */
export const TASK_ALERTS = ['late', 'failing'] as const
export type TaskAlert = (typeof TASK_ALERTS)[number]

/** No task runs more often. */
export const LEAST_SECONDS = 2

/** Its alerts would be missing without anybody being notified. */
export const WATCH_CLASS = 'taskWatch'
