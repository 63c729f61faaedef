import { sql } from 'kysely'
import { isKept } from '#shared/collection/case-lifecycle.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import { logCase, notifyOfCase, tellPromise } from '../case-events.ts'
import { lockCases, type LockedCase, moveCase, nextCaseState } from '../case-store.ts'
import { keptPercent } from './case-paid.ts'
import { openDayCases } from './open-day-cases.ts'

const NAME = 'ptpCheck'
const CHUNK = 100

/**
 * Five minutes after the day's end: a promise of an earlier IST day that money did not keep is broken, its case due today
 * (domain.md 2.3). A case that waited for this to change its stage changes it now.
 */
export const ptpCheck: ScheduledClass = {
  name: NAME,
  cycle: '5 0 * * *',
  async run(house) {
    let broken = 0
    for (;;) {
      const { rows } = await sql<{ id: string }>`
        select c.id from collection_case c
        where c.ptp_state = 'open' and c.state = 'promised' and c.ptp_at < date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' order by c.ptp_at, c.id limit ${CHUNK}`.execute(
        house.database.kysely,
      )
      if (rows.length === 0) break
      const { result } = await runCommand(
        house,
        { actor: systemActor(NAME), audit: { menu: 'pedding_list', action: NAME } },
        (cx) =>
          judge(
            cx,
            rows.map((row) => row.id),
          ),
      )
      broken += result
    }
    return broken === 0 ? '' : `${broken} promises broken`
  },
}

async function judge(cx: Cx, ids: readonly string[]): Promise<number> {
  const percent = await keptPercent(cx)
  const today = istDay(await cx.now())
  const promised = await lockCases(
    cx,
    sql<boolean>`c.id = any(${[...ids]}::text[]) and c.state = 'promised' and c.ptp_state = 'open'`,
  )
  let broken = 0
  for (const locked of promised) if (await judgeOne(cx, locked, percent)) broken += 1
  await openDayCases(cx, { day: today, orderIds: promised.map((locked) => locked.order_id) })
  return broken
}

/** @returns whether it was broken; one that was kept meanwhile (a percentage changed by the owner) ends as kept in part */
async function judgeOne(cx: Cx, locked: LockedCase, percent: number): Promise<boolean> {
  const facts = { paid: locked.ptp_paid, promised: locked.ptp_amount ?? 0, keptPercent: percent }
  const kept = isKept(facts)
  const to = kept
    ? nextCaseState(locked, { type: 'PROMISE_KEPT_PART', ...facts })
    : nextCaseState(locked, { type: 'PROMISE_BROKEN', over: true, refused: false, ...facts })
  const moved = await moveCase(cx, locked, {
    to,
    set: kept
      ? [sql`ptp_state = 'keptPart'`]
      : [
          sql`ptp_state = 'broken'`,
          sql`broken_count = c.broken_count + 1`,
          sql`next_follow_at = clock_timestamp()`,
        ],
  })
  tellPromise(cx, moved)
  if (!kept) notifyOfCase(cx, moved.collector_id, 'promise', 'promiseBroken', moved.id)
  logCase(cx, 'pedding_list', NAME, moved, { ptpState: moved.ptp_state })
  return !kept
}
