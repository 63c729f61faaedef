/** The pending work of one person. Each figure uses the predicate of its own screen. */
import { type RawBuilder, sql } from 'kysely'
import type { workbench } from '#shared/home/home-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { QUEUE_MENU, TICKET_QUEUES } from '#shared/tickets/ticket-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type ApprovalKind, waitingFor } from '#gateway/manage/features/approvals/public.ts'
import { caseView } from '#gateway/manage/features/collection/public.ts'
import { WAITING } from '#gateway/manage/features/review/public.ts'
import { isWorkedOnBy } from '#gateway/manage/features/tickets/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

type Todo = DataOf<typeof workbench>['todo']

/**
 * Counts only what the caller's menu contains. An administrator holds all codes and does none of the
 * floor's work: the home page does not offer it, so the menu does not count it either.
 */
export async function findTodo(
  db: Db,
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
): Promise<Todo> {
  const { userId } = actor
  const { permissions } = actor.rights
  const figures: [menu: string, count: RawBuilder<number>][] = [
    ['home_page', waitingFor(actor, kinds)],
  ]
  const works = actor.rights.roleMark !== ADMINISTRATOR
  if (works && permissions.has('review_list:claim')) figures.push(['review_list', WAITING])
  if (permissions.has('pedding_list:view'))
    figures.push([
      'pedding_list',
      sql<number>`
        (select count(*)::int from collection_case c where c.collector_id = ${userId}
          and c.state in ('allocated', 'promised') and ${caseView('dueNow')})`,
    ])
  for (const queue of TICKET_QUEUES) {
    const menu = [QUEUE_MENU[queue], 'user_feedback'].find((name) =>
      permissions.has(`${name}:view`),
    )
    if (menu !== undefined)
      figures.push([
        menu,
        sql<number>`
          (select count(*)::int from feedback t where t.queue = ${queue} and ${isWorkedOnBy(userId)})`,
      ])
  }
  const { rows } = await sql<{ todo: Todo }>`
    select json_agg(json_build_object('menu', f.menu, 'count', f.count) order by f.menu) as todo
    from (select g.menu, sum(g.n)::int as count from (values ${sql.join(
      figures.map(
        ([menu, count]) => sql`
      (${menu}::text, ${count})`,
      ),
    )}) as g (menu, n) group by g.menu) f`.execute(db)
  return (rows[0] as { todo: Todo }).todo
}
