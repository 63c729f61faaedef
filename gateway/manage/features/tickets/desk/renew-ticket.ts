/**
 * HEARTBEAT of a visible tab, every 30 s until the first reply. It changes no business row, so it
 * needs no transaction, version or event. `liveUntil` moves with every beat, `idleUntil` only when
 * the reported input is newer than the last known one; input times in the future are capped at the
 * server's clock.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { TICKET_CLAIM_OVER, TICKET_OWN } from '#shared/tickets/tickets-problems.ts'
import type { renewTicket as renewCall } from '#shared/tickets/tickets-api.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'

/** The processor is warned this long before the lease ends. */
export const WARNING_SECONDS = 60

/**
 * @throws Problem F-OWN with the current processor, F-LEASE when there is none, G404 for a ticket
 * outside the caller's scope that they never worked on
 */
export async function renewTicket(
  { db, actor }: Query,
  { feedbackId, token, lastInputTime }: InputOf<typeof renewCall>,
): Promise<DataOf<typeof renewCall>> {
  const { rows } = await sql<DataOf<typeof renewCall>>`
    with held as (
      select t.id, t.first_reply_at,
        clock_timestamp() + make_interval(secs => ${intParameter('ticket.liveSeconds')}) as live_until,
        greatest(t.idle_until, least(${lastInputTime}::timestamptz,
          clock_timestamp()) + make_interval(mins => ${intParameter('ticket.idleMinutes')})) as idle_until
      from feedback t
      where t.id = ${feedbackId} and t.processor_id = ${actor.userId} and t.token = ${token}
        and t.progress = 'followingUp'
        and coalesce(least(t.idle_until, t.live_until) > clock_timestamp(), true)
      for update of t
    ), renewed as (
      update feedback t set live_until = c.live_until, idle_until = c.idle_until,
        warned_at = case when least(c.live_until,
          c.idle_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) then t.warned_at
          end
      from held c where t.id = c.id and c.first_reply_at is null returning t.id, t.live_until, t.idle_until
    )
    select least(w.live_until, w.idle_until) as "leaseUntil", w.idle_until as "idleUntil",
      w.live_until as "liveUntil" from held c left join renewed w on w.id = c.id`.execute(db)
  const lease = rows[0]
  if (lease) return lease
  const refused = await sql<{
    processor_id: string | null
    processor_name: string | null
    lease_over: boolean
  }>`
    select t.processor_id, t.processor_name, coalesce(least(t.idle_until,
      t.live_until) <= clock_timestamp(), false) as lease_over from feedback t
    where t.id = ${feedbackId} and (${ticketsInScope(actor)} or (t.about_id is distinct from ${actor.userId}
      and exists (select 1 from feedback_step s where s.feedback_id = t.id
      and s.processor_id = ${actor.userId})))`.execute(db)
  const found = refused.rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  const isSomebodyElses =
    found.processor_name !== null && found.processor_id !== actor.userId && !found.lease_over
  throw isSomebodyElses
    ? new Problem(TICKET_OWN, { userName: found.processor_name as string })
    : new Problem(TICKET_CLAIM_OVER)
}
