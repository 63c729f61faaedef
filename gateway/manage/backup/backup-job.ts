/** Takes a backup every five minutes, which is the most that a lost disk costs. */
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { takeBackup, thinBackups } from './take-backup.ts'

export function backupClass(place: { dataDir: string; backupDir: string }): ScheduledClass {
  return {
    name: 'backup',
    cycle: 'every:300',
    async run({ database }) {
      const { files, bytes, heldMs } = await takeBackup(place, database)
      const removed = await thinBackups(place.backupDir)
      return { files, megabytes: Math.ceil(bytes / 1024 / 1024), heldMs, removed }
    },
  }
}
