/**
 * Removes what was kept for its term, each night: in small statements of their own, so that nobody
 * waits for one, and with an entry of the operate log that says how many of what, older than when.
 * The ledger and the book stay; the operate log has a class of its own, which exports first.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { type Retained, termDays } from '#gateway/manage/kernel/retained.ts'

const NAME = 'retention'
const CHUNK = 1_000

interface Removed {
  rows: number
  /** ISO 8601; what is older went. */
  before: string
}

export function retentionClass(retained: readonly Retained[]): ScheduledClass {
  return {
    name: NAME,
    cycle: '30 2 * * *',
    async run(context) {
      const removed: Record<string, Removed> = {}
      for (const one of retained) {
        if (context.stopping.aborted) break
        const { rows, before } = await removeOver(context, one)
        if (rows > 0) removed[one.name] = { rows, before }
      }
      const names = Object.keys(removed)
      if (names.length === 0) return ''
      await runCommand(
        context,
        { actor: systemActor(NAME), audit: { action: NAME, after: { removed } } },
        async () => undefined,
      )
      return names.map((name) => `${name} ${removed[name]?.rows ?? 0}`).join(', ')
    },
  }
}

async function removeOver(
  context: AppContext,
  { table, term, atLeast, isOver, emptied }: Retained,
): Promise<Removed> {
  const days = await termDays(context, term, atLeast)
  const db = context.database.kysely
  const moment = await sql<{ before: string }>`
    select clock_timestamp() - make_interval(days => ${days}) as before`.execute(db)
  const before = (moment.rows[0] as { before: string }).before
  const some = sql`
    select r.id from ${sql.table(table)} r
    where ${isOver(sql<string>`${before}::timestamptz`)} limit ${CHUNK}`
  const remove =
    emptied === undefined
      ? sql`delete from ${sql.table(table)} where id in (${some})`
      : sql`update ${sql.table(table)} set ${emptied} where id in (${some})`
  let rows = 0
  for (;;) {
    const from = performance.now()
    const { numAffectedRows = 0n } = await remove.execute(db)
    rows += Number(numAffectedRows)
    if (numAffectedRows < BigInt(CHUNK) || context.stopping.aborted) return { rows, before }
    // as long as the statement took, so that half of the time is others'
    await rest(performance.now() - from)
  }
}
