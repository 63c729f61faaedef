/** HEARTBEAT until the first follow-up; afterwards a task has no lease. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { renewTask as renewCall } from '#shared/telemarketing/tele-api.ts'
import { renewLease } from '#gateway/manage/kernel/claims/renew-lease.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { CLAIMS, type LockedTask } from '../task-store.ts'
import { notYours } from '../tele-refusals.ts'
import { segmentsOf } from '../tele-scope.ts'

/** @throws Problem M-OWN with the assignee, M-LEASE, M-TASK, G404 in another segment */
export async function renewTask(
  { db, actor }: Query,
  { taskId, token, lastInputTime }: InputOf<typeof renewCall>,
): Promise<DataOf<typeof renewCall>> {
  const lease = await renewLease<DataOf<typeof renewCall>>(
    db,
    CLAIMS,
    { id: taskId, userId: actor.userId, token, lastInputTime },
    {
      stands: sql`(t.state = 'assigned' or t.state = 'claimed' and ${CLAIMS.isHeld})`,
      isLeased: sql`t.state = 'claimed'`,
    },
  )
  if (lease) return lease
  const { rows } = await sql<LockedTask>`
    select t.state, t.assignee_id, t.assignee_name, coalesce(${CLAIMS.isOver}, false) as lease_over
    from tele_task t
    where t.id = ${taskId} and t.segment = any(${segmentsOf(actor, 'follow')}::text[])`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  throw notYours(found.assignee_id === actor.userId ? { ...found, assignee_name: null } : found)
}
