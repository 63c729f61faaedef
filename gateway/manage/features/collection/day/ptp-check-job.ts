import { sql } from 'kysely'
import { isKept } from '#shared/collection/case-lifecycle.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { logCase, notifyAboutCase, emitPromise } from '../case-events.ts'
import { lockCases, type LockedCase, moveCase, nextCaseState } from '../case-store.ts'
import { keptPercent } from './case-paid.ts'
import { openDayCases } from './open-day-cases.ts'

const NAME = 'ptpCheck'
const CHUNK = 100

/**
 * Five minutes after midnight IST: a promise of an earlier day that was not kept is broken and its
 * case is due today. A case whose stage change waited for the promise changes it now.
 */
export const ptpCheck: ScheduledClass = {
  name: NAME,
  cycle: '5 0 * * *',
  async run(context) {
    let promisesBroken = 0
    for (;;) {
      const { rows } = await sql<{ id: string }>`
        select c.id from collection_case c
        where c.ptp_state = 'open' and c.state = 'promised'
          and c.ptp_at < date_trunc('day',
          clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' order by c.ptp_at, c.id
          limit ${CHUNK}`.execute(context.database.kysely)
      if (rows.length === 0) break
      const { result } = await runCommand(
        context,
        { actor: systemActor(NAME), audit: { menu: 'pedding_list', action: NAME } },
        (tx) =>
          judge(
            tx,
            rows.map((row) => row.id),
          ),
      )
      promisesBroken += result
    }
    return { promisesBroken }
  },
}

async function judge(tx: CommandTx, ids: readonly string[]): Promise<number> {
  const percent = await keptPercent(tx)
  const today = istDay(await tx.now())
  const promised = await lockCases(
    tx,
    sql<boolean>`c.id = any(${[...ids]}::text[]) and c.state = 'promised' and c.ptp_state = 'open'`,
  )
  let broken = 0
  for (const locked of promised) if (await judgeOne(tx, locked, percent)) broken += 1
  await openDayCases(tx, { day: today, orderIds: promised.map((locked) => locked.order_id) })
  return broken
}

/**
 * @returns whether it was broken; a promise that counts as kept meanwhile (the owner changed the
 * percentage) ends as kept in part
 */
async function judgeOne(tx: CommandTx, locked: LockedCase, percent: number): Promise<boolean> {
  const facts = { paid: locked.ptp_paid, promised: locked.ptp_amount ?? 0, keptPercent: percent }
  const kept = isKept(facts)
  const to = kept
    ? nextCaseState(locked, { type: 'PROMISE_KEPT_PART', ...facts })
    : nextCaseState(locked, { type: 'PROMISE_BROKEN', over: true, refused: false, ...facts })
  const moved = await moveCase(tx, locked, {
    to,
    set: kept
      ? [sql`ptp_state = 'keptPart'`]
      : [
          sql`ptp_state = 'broken'`,
          sql`broken_count = c.broken_count + 1`,
          sql`next_follow_at = clock_timestamp()`,
        ],
  })
  emitPromise(tx, moved)
  if (!kept) notifyAboutCase(tx, moved.collector_id, 'promise', 'promiseBroken', moved.id)
  logCase(tx, 'pedding_list', NAME, moved, { ptpState: moved.ptp_state })
  return !kept
}
