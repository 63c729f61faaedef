/**
 * Re-loan customers are not given to a collector with an upheld complaint from them. A complaint is
 * upheld when it was answered and no leader ended its hold as frivolous.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'

/** For a ticket that was reopened and answered again the last hold counts. */
const IS_UPHELD = sql<boolean>`(t.about_id is not null and t.progress = 'finished'
  and (select s.decide_remark is null from stop_collection s where s.ticket_id = t.id
    order by s.start_at desc, s.id desc limit 1) is not false)`

/**
 * Collectors the cases must not be given to, by case; cases without one are left out.
 * @param which a predicate over `collection_case c`
 */
export async function barredPeople(
  db: Db,
  which: RawBuilder<boolean>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; people: string[] }>`
    select c.id, array_agg(distinct t.about_id order by t.about_id) as people
    from feedback t join collection_case c on c.customer_id = t.customer_id
      join loan_order o on o.id = c.order_id
    where ${IS_UPHELD} and 'reLoan' = any(o.tags) and c.state <> 'closed' and ${which} group by c.id`.execute(
    db,
  )
  return new Map(rows.map(({ id, people }) => [id, people]))
}

export async function isBarred(db: Db, caseId: string, collectorId: string): Promise<boolean> {
  return (
    (await barredPeople(db, sql<boolean>`c.id = ${caseId}`)).get(caseId)?.includes(collectorId) ===
    true
  )
}
