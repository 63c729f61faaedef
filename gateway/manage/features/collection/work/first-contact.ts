import { type RawBuilder, sql } from 'kysely'
import type { LockedCase } from '../case-store.ts'

/**
 * Seconds from the assignment of the case to this contact, as an expression; null unless it is the
 * holder's first contact (a call counts, the follow-up of a call does not count again). Use it
 * before the contact is written.
 */
export function firstContactSec(
  {
    id,
    collector_id: holder,
    allocated_at: since,
  }: Pick<LockedCase, 'id' | 'collector_id' | 'allocated_at'>,
  userId: string,
): RawBuilder<number | null> {
  if (holder !== userId || since === null) return sql<null>`null::int`
  return sql<number | null>`
    case
      when exists (
        select 1 from call_log x
        where x.case_id = ${id} and x.user_id = ${userId} and x.started_at >= ${since}::timestamptz
      ) or exists (
        select 1 from follow_up y
        where y.case_id = ${id} and y.operator_id = ${userId} and y.created_at >= ${since}::timestamptz
      ) then null
      else greatest(0, extract(epoch from clock_timestamp() - ${since}::timestamptz))::int
    end`
}
