import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'

/** Files that were made for a while (exports) go when it is over. */
export const fileSweep: ScheduledClass = {
  name: 'fileSweep',
  cycle: 'every:3600',
  async run(house) {
    const gone = await sql`delete from file_object where expires_at <= clock_timestamp()`.execute(
      house.database.kysely,
    )
    return (gone.numAffectedRows ?? 0n) === 0n ? '' : `${gone.numAffectedRows} files removed`
  },
}
