/** Waits for the jobs that follow up on rows the bench wrote. */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

const REST_MS = 500
const PATIENCE_MS = 600_000

/**
 * Waits until the console has followed up on every mark: days are counted again for the reports
 * (`report_mark`), customers get or lose telemarketing tasks (`tele_mark`).
 */
export async function untilFollowedUp(
  { kysely: db }: Database,
  marks: 'report_mark' | 'tele_mark',
): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql`select from ${sql.table(marks)} limit 1`.execute(db)
    if (rows.length === 0) return
    if (performance.now() > end) throw new Error(`${marks} is not empty after ${PATIENCE_MS} ms`)
    await delay(REST_MS)
  }
}
