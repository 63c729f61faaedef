import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { IS_ENABLED } from '../setup/duty.ts'
import { lockStages, type LockedRun, setRunState, emitRun } from './run-store.ts'

/** Ends the run: unlocks its stages and notifies each receiver of their number of cases. */
export async function endRun(
  tx: CommandTx,
  run: LockedRun,
  state: 'done' | 'cancelled',
): Promise<LockedRun> {
  const ended = await setRunState(tx, run.id, state)
  const { rows: people } = await sql<{ collector_id: string; agency_id: string; n: number }>`
    select i.collector_id, i.agency_id, count(*)::int as n from allocation_item i where i.run_id = ${run.id}
      and i.outcome = 'allocated' group by i.collector_id, i.agency_id order by i.collector_id`.execute(
    tx.db,
  )
  await lockStages(tx, run.stage_ids, 'allocated')
  emitRun(tx, ended, new Set(people.map((one) => one.agency_id)))
  for (const { collector_id: userId, n } of people)
    tx.notify({
      userId,
      kind: 'assigned',
      titleKey: 'collection:notification.casesAllocated',
      params: { n },
      route: '/loaned_management/pedding_list?view=newToday',
    })
  if (state === 'done') await notifyWithoutRoom(tx, run)
  return ended
}

/**
 * Notifies a leader of cases nobody has room for: the user who started the run; for a scheduled run
 * the managers, once a day.
 */
async function notifyWithoutRoom(tx: CommandTx, run: LockedRun): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from allocation_item i where i.run_id = ${run.id} and i.outcome = 'noCapacity'`.execute(
    tx.db,
  )
  const n = rows[0]?.n ?? 0
  if (n === 0) return
  const titleKey = 'collection:notification.withoutRoom'
  const leaders =
    run.started_by === null
      ? (
          await sql<{ id: string }>`
          select u.id from sys_user u join sys_role g on g.id = u.role_id where g.unique_mark = 'manager'
            and ${IS_ENABLED}
            and not exists (select 1 from notification x where x.user_id = u.id
              and x.title_key = ${titleKey} and x.at > clock_timestamp() - interval '20 hours')
              order by u.id`.execute(tx.db)
        ).rows.map((row) => row.id)
      : [run.started_by]
  for (const userId of leaders)
    tx.notify({
      userId,
      kind: 'system',
      titleKey,
      params: { n, stages: run.stage_ids.join(', ') },
      route: '/loaned_management/pedding_list?tab=toAllocate',
    })
}
