import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'

/** Deletes export files after their retention time. */
export const fileSweep: ScheduledClass = {
  name: 'fileSweep',
  cycle: 'every:3600',
  async run(context) {
    const gone = await sql`delete from file_object where expires_at <= clock_timestamp()`.execute(
      context.database.kysely,
    )
    return { removed: Number(gone.numAffectedRows ?? 0n) }
  },
}
