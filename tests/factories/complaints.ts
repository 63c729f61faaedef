/** Answered complaints about collectors. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

/**
 * A finished complaint of the customer of a case.
 * @param frivolous how the leader classified it when ending the hold; absent = not classified
 */
export async function makeComplaint(
  { database }: { database: Database },
  { caseId, aboutId, frivolous }: { caseId: string; aboutId: string; frivolous?: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into feedback (customer_id, type, content, contact_way, queue, progress, follow_state,
        processor_id, about_id, reply_due_at, answer_due_at, first_reply_at, finished_at)
      select c.customer_id, 5, 'He shouted at my mother', 'phone', 'operation', 'finished', 'caseClosed',
        x.id, ${aboutId}, clock_timestamp(), clock_timestamp(), clock_timestamp(), clock_timestamp()
      from collection_case c, (select u.id from sys_user u where u.id <> ${aboutId} order by u.id limit 1) x
        where c.id = ${caseId} returning id, customer_id
    ), stopped as (
      insert into stop_collection (customer_id, reason, state, ticket_id, applied_by_name, ended_at,
        decide_remark, remark)
      select m.customer_id, 'grievance', 'ended', m.id, 'test', clock_timestamp(), ${frivolous ?? null},
        m.id from made m
    )
    select m.id from made m`.execute(database.kysely)
  return (rows[0] as { id: string }).id
}
