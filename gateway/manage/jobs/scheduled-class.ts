import type { House } from '#gateway/manage/kernel/house.ts'

/** Work that happens by the clock (api.md 24). Every class is idempotent per row or per day: it may run twice, at once, or after a crash in its middle. */
export interface ScheduledClass {
  /** Its key in `scheduled_task.class`, and what `house.wakeSchedule` is told. */
  name: string
  /** Cron text read in IST, or `every:SECONDS`. */
  cycle: string
  /** @returns what was done in a short sentence; empty when there was nothing to do */
  run(house: House): Promise<string>
}
