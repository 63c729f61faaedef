/**
 * Whether collectors whose cases change stage have room in the new one. Cases that leave the stage
 * on the same day free their room.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface StageRoom {
  /** Takes one place of the stage; false = there is none. */
  take(collectorId: string, stageId: string): boolean
}

/** @param day IST day that begins @param holders collectors of the cases */
export async function stageRoom(
  tx: CommandTx,
  day: string,
  holders: readonly string[],
): Promise<StageRoom> {
  const { rows } = await sql<{ collector_id: string; stage_id: string; room: number }>`
    select k.user_id as collector_id, s.stage_id, s.capacity - coalesce(h.n, 0) as room
    from collector k
    join stage s on s.stage_id = any(k.stage_ids)
    left join (
      select c.collector_id, c.stage_id, count(*)::int as n
      from collection_case c
      join stage g on g.stage_id = c.stage_id
      join lateral (select ${day}::date - min(p.due_at) as days from repay_plan p
        where p.order_id = c.order_id and p.outstanding > 0) d on true
      where c.collector_id = any(${[...holders]}::text[]) and c.state in ('allocated', 'promised')
        and (c.ptp_state = 'open' or g.max_days is null or d.days <= g.max_days)
      group by c.collector_id, c.stage_id
    ) h on h.collector_id = k.user_id and h.stage_id = s.stage_id
    where k.user_id = any(${[...holders]}::text[]) and k.open_cases <= k.capacity`.execute(tx.db)
  const left = new Map(rows.map((row) => [`${row.collector_id} ${row.stage_id}`, row.room]))
  return {
    take(collectorId, stageId) {
      const key = `${collectorId} ${stageId}`
      const room = left.get(key) ?? 0
      if (room <= 0) return false
      left.set(key, room - 1)
      return true
    },
  }
}
