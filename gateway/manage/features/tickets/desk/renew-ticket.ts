/** HEARTBEAT until the first reply; afterwards a ticket has no lease. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { TICKET_CLAIM_OVER, TICKET_OWN } from '#shared/tickets/tickets-problems.ts'
import type { renewTicket as renewCall } from '#shared/tickets/tickets-api.ts'
import { renewLease } from '#gateway/manage/kernel/claims/renew-lease.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { CLAIMS, writable } from '../ticket-store.ts'

/**
 * @throws Problem F-OWN with the current processor, F-LEASE when there is none, G404 for a ticket
 * outside the caller's scope that they never worked on
 */
export async function renewTicket(
  { db, actor }: Query,
  { feedbackId, token, lastInputTime }: InputOf<typeof renewCall>,
): Promise<DataOf<typeof renewCall>> {
  const lease = await renewLease<DataOf<typeof renewCall>>(
    db,
    CLAIMS,
    { id: feedbackId, userId: actor.userId, token, lastInputTime },
    {
      stands: sql`t.progress = 'followingUp' and coalesce(${CLAIMS.isHeld}, true)`,
      isLeased: sql`t.first_reply_at is null`,
    },
  )
  if (lease) return lease
  const refused = await sql<{
    processor_id: string | null
    processor_name: string | null
    lease_over: boolean
  }>`
    select t.processor_id, t.processor_name, coalesce(${CLAIMS.isOver}, false) as lease_over
    from feedback t where t.id = ${feedbackId} and ${writable(actor)}`.execute(db)
  const found = refused.rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  const isSomebodyElses =
    found.processor_name !== null && found.processor_id !== actor.userId && !found.lease_over
  throw isSomebodyElses
    ? new Problem(TICKET_OWN, { userName: found.processor_name as string })
    : new Problem(TICKET_CLAIM_OVER)
}
