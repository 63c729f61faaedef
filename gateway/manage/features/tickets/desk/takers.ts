/**
 * People who get tickets of a queue by automatic distribution, and people who can be assigned
 * tickets by hand.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { mayTicket, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { listTakers as takersCall } from '#shared/tickets/tickets-api.ts'
import { ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import { CAPACITY, IS_ONLINE, openTicketsOf, reachable, serves, takesOf } from './capacity.ts'

/** People on duty with distribution switched on. */
export function takersOf(queue: TicketQueue): RawBuilder<number> {
  return sql<number>`
    (select count(*)::int from feedback_distributor f join sys_user u on u.id = f.user_id
      join sys_role g on g.id = u.role_id where f.queue = ${queue} and f."on" and ${ON_DUTY}
      and ${serves(queue)})`
}

/** @throws Problem G403 for a queue in which the caller may not assign tickets */
export async function listTakers(
  db: Db,
  actor: StaffActor,
  { queue, department, feedbackId }: InputOf<typeof takersCall>,
): Promise<DataOf<typeof takersCall>> {
  if (
    !mayTicket(actor.rights.permissions, queue, 'transfer') &&
    !mayTicket(actor.rights.permissions, queue, 'distribute')
  )
    throw new Problem(FORBIDDEN)
  // the people the selected tickets are about, and their current processors
  const others =
    feedbackId === undefined
      ? sql<boolean>`true`
      : sql<boolean>`
        not exists (select 1 from feedback t where t.id = ${feedbackId} and ${ticketsInScope(actor)}
          and (t.about_id = u.id or t.processor_id = u.id))`
  const { rows } = await sql<DataOf<typeof takersCall>[number]>`
    select u.id as "userId", u.user_name as "userName", u.account, u.department_id as department,
      d.name as "departmentName", ${IS_ONLINE} as online, ${ON_DUTY} as "onDuty",
      ${openTicketsOf(sql`u.id`)} as "openCount", ${CAPACITY} as capacity,
      ${takesOf(sql`${queue}`)} as "distributionOn"
    from sys_user u
    join sys_role g on g.id = u.role_id
    left join department d on d.id = u.department_id
    where ${serves(queue)}
      and u.status in ('enabled', 'normal')
      and g.status = 'enabled'
      and ${reachable(actor)}
      and ${others}
      and ${department === undefined ? sql`true` : sql`u.department_id = ${department}`}
    order by online desc, "onDuty" desc, "openCount", lower(u.user_name), u.id`.execute(db)
  return rows
}
