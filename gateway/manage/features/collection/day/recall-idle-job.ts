import { type RawBuilder, sql } from 'kysely'
import { caseLifecycle, type RecallCause } from '#shared/collection/case-lifecycle.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { lockCases } from '../case-store.ts'
import { recallCase } from '../cases/recall-case.ts'
import { IST_MIDNIGHT, IST_TODAY } from '../cases/case-row.ts'
import { isOnDuty } from '../setup/duty.ts'

const NAME = 'recallIdle'
const CHUNK = 100
const ABSENT = 'collection:notification.absentPromises'

/** Day of the holder's last contact; without one the day before the case was given. */
const LAST_DAY = sql.raw(`(
  greatest(
    c.last_follow_at,
    (select max(l.started_at) from call_log l where l.case_id = c.id),
    c.allocated_at - interval '1 day'
  ) at time zone 'Asia/Kolkata'
)::date`)

/** Working days (no Sunday, no holiday) after that day and before today. */
const IDLE_DAYS = sql`(
  select count(*) from generate_series(${LAST_DAY} + 1, ${IST_TODAY} - 1, interval '1 day') as d (day)
  where extract(dow from d.day) <> 0 and not exists (select 1 from holiday h where h.day = d.day::date))`

/** Causes of a recall, the stronger one first. */
const TRIGGERS: readonly [RecallCause, RawBuilder<boolean>][] = [
  [
    'ownerDisabled',
    sql<boolean>`exists (select 1 from sys_user u where u.id = c.collector_id and u.status = 'disabled')`,
  ],
  [
    'agencyLocked',
    sql<boolean>`exists (select 1 from agency a where a.id = c.agency_id and a.status = 'locked')`,
  ],
  [
    'placementEnded',
    sql<boolean>`exists (select 1 from agency a where a.id = c.agency_id and a.term_end < ${IST_TODAY})`,
  ],
  [
    'noActivity',
    sql<boolean>`
      (c.state = 'allocated' and ${IDLE_DAYS} > (select s.recall_after_days from stage s
        where s.stage_id = c.stage_id))`,
  ],
]

/**
 * At 07:00, before the day's allocation: cases of locked agencies, of agencies whose term is over
 * and of disabled accounts, and idle cases, return to the pool.
 */
export const recallIdle: ScheduledClass = {
  name: NAME,
  cycle: '0 7 * * *',
  async run(context) {
    let recalled = 0
    for (const [cause, trigger] of TRIGGERS) recalled += await recallAll(context, cause, trigger)
    const notified = await notifyLeaders(context)
    return { recalled, notified }
  },
}

/**
 * A promise of today stays with a holder who is off duty, because a promised case must have one.
 * Their leaders are notified once a day and may transfer it.
 */
async function notifyLeaders(context: AppContext): Promise<number> {
  const { result } = await runCommand(
    context,
    { actor: systemActor(NAME), audit: { menu: 'pedding_list', action: 'absentPromises' } },
    async (tx) => {
      const { rows } = await sql<{
        leader_id: string
        collector_id: string
        user_name: string
        n: number
      }>`
      select l.id as leader_id, u.id as collector_id, u.user_name, count(*)::int as n
      from collection_case c
      join sys_user u on u.id = c.collector_id
      join sys_user l on l.group_id = u.group_id and l.id <> u.id and l.status in ('enabled', 'normal')
      join sys_role g on g.id = l.role_id and g.unique_mark = 'team_leader'
      where c.ptp_state = 'open' and c.ptp_at >= ${IST_MIDNIGHT}
        and c.ptp_at < ${IST_MIDNIGHT} + interval '1 day' and not ${isOnDuty('u.id')}
        and not exists (select 1 from notification x where x.user_id = l.id and x.title_key = ${ABSENT}
          and x.params ->> 'userId' = u.id and x.at >= ${IST_MIDNIGHT})
      group by l.id, u.id, u.user_name order by l.id, u.id`.execute(tx.db)
      for (const row of rows)
        tx.notify({
          userId: row.leader_id,
          kind: 'promise',
          titleKey: ABSENT,
          params: { userId: row.collector_id, userName: row.user_name, n: row.n },
          route: `/loaned_management/pedding_list?view=promisesToday&collectorId=${row.collector_id}`,
        })
      return rows.length
    },
  )
  return result
}

async function recallAll(
  context: AppContext,
  cause: RecallCause,
  trigger: RawBuilder<boolean>,
): Promise<number> {
  let recalled = 0
  for (;;) {
    const { rows } = await sql<{
      id: string
    }>`
      select c.id
      from collection_case c
      where c.state in ('allocated', 'promised') and ${trigger}
      order by c.id
      limit ${CHUNK}`.execute(context.database.kysely)
    if (rows.length === 0) return recalled
    const { result: done } = await runCommand(
      context,
      { actor: systemActor(NAME), audit: { menu: 'pedding_list', action: NAME } },
      (tx) =>
        recallChunk(
          tx,
          rows.map((row) => row.id),
          cause,
          trigger,
        ),
    )
    recalled += done
    // the rest moved meanwhile: the next morning checks again
    if (done === 0) return recalled
  }
}

async function recallChunk(
  tx: CommandTx,
  ids: readonly string[],
  cause: RecallCause,
  trigger: RawBuilder<boolean>,
): Promise<number> {
  const taken = new Map<string, number>()
  let done = 0
  for (const locked of await lockCases(
    tx,
    sql<boolean>`c.id = any(${[...ids]}::text[]) and c.state in ('allocated', 'promised') and ${trigger}`,
  )) {
    if (!caseLifecycle.can(locked.state, { type: 'AGENCY_RECALL', cause, reason: cause })) continue
    await recallCase(tx, locked, { cause, reason: cause, menu: 'pedding_list' })
    if (locked.collector_id !== null)
      taken.set(locked.collector_id, (taken.get(locked.collector_id) ?? 0) + 1)
    done += 1
  }
  // one line for each person, not one for each case
  for (const [userId, n] of taken)
    tx.notify({
      userId,
      kind: 'taken',
      titleKey: 'collection:notification.casesRecalled',
      params: { n },
      route: '/loaned_management/pedding_list',
    })
  return done
}
