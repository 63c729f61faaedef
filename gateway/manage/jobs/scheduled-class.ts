import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'

/**
 * Scheduled work. Every class is idempotent per row or per day: it may run twice, at once, or after
 * a crash in its middle.
 */
export interface ScheduledClass {
  /** Its key in `scheduled_task.class`; `context.wakeSchedule` takes it. */
  name: string
  /** Cron text read in IST, or `every:SECONDS`. */
  cycle: string
  /** @returns what was done; no counts, or only zeros, when there was nothing to do */
  run(context: AppContext): Promise<RunCounts>
}
