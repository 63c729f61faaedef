import { sql } from 'kysely'
import { CHANGED_BY_OTHER, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

/** G409 with who changed it last, as the operate log knows, and the row as it is now. */
export async function changedByOther(
  db: Db,
  kind: string,
  id: string,
  fresh: unknown,
): Promise<Problem> {
  const { rows } = await sql<{
    user_name: string
  }>`
    select l.user_name
    from operate_log l
    where l.target_kind = ${kind}
      and l.target_id = ${id}
      and l.result = 'ok'
    order by l.id desc
    limit 1`.execute(db)
  return new Problem(CHANGED_BY_OTHER, { userName: rows[0]?.user_name ?? '?' }, fresh)
}
