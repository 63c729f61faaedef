/** Customers to bring back, on a person's home page. */
import { type RawBuilder, sql } from 'kysely'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import { countRows, goalOf, type HomePart } from '#gateway/manage/features/home/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { IS_DUE, MAY_BE_CALLED } from './desk/claim-task.ts'
import { segmentsOf, tasksInScope } from './tele-scope.ts'

const listOf = (segment: string): string => `/customer_management/marketing_center/${segment}`

/** People of a segment and their group leaders; a leader of everything has other work. */
const worksHere = (actor: StaffActor): boolean =>
  actor.rights.scope !== 'all' && segmentsOf(actor, 'follow').length > 0

export const TELE_HOME: HomePart = {
  next: (actor) =>
    worksHere(actor)
      ? segmentsOf(actor, 'follow').flatMap((segment) => {
          const due = sql`tele_task t where t.assignee_id = ${actor.userId} and t.segment = ${segment}
            and (t.state = 'claimed' or ${IS_DUE})`
          const pool = sql`tele_task t where t.segment = ${segment}
            and t.state = 'waiting' and ${MAY_BE_CALLED}`
          const first = { part: segment, count: countRows(pool), target: listOf(segment) }
          return [
            {
              key: 'teleFollow' as const,
              part: segment,
              count: countRows(due),
              time: sql<string | null>`(select min(t.next_follow_at) from ${due})`,
              id: sql<string | null>`
                (select t.id from ${due} order by t.next_follow_at nulls first, t.id limit 1)`,
              target: (id: string) => `${listOf(segment)}?open=${id}`,
            },
            { key: 'teleNext' as const, time: sql<null>`null`, ...first },
            ...(actor.rights.permissions.has(`${segment}:assign`)
              ? [
                  {
                    ...first,
                    key: 'teleAssign' as const,
                    time: sql<string | null>`(select min(t.loss_at) from ${pool})`,
                    target: `${listOf(segment)}?unassigned=true`,
                  },
                ]
              : []),
          ]
        })
      : [],
  lane: (actor) =>
    worksHere(actor)
      ? segmentsOf(actor).map((segment) => ({
          kind: 'call' as const,
          rows: sql`tele_task t join customer c on c.id = t.customer_id
            where t.assignee_id = ${actor.userId} and t.segment = ${segment} and t.closed_at is null`,
          at: 't.next_follow_at',
          id: 't.id',
          name: 'c.name',
          target: (id: string) => `${listOf(segment)}?open=${id}`,
          list: `${listOf(segment)}?lane=due`,
        }))
      : [],
  figures(actor) {
    if (!worksHere(actor)) return []
    const list = listOf(segmentsOf(actor)[0] ?? SEGMENTS[0])
    const followed = sql`tele_record x where x.operator_id in (${peopleOf(actor)})`
    const people = sql<number>`(select count(*)::int from (${peopleOf(actor)}) p)`
    return [
      {
        key: 'followUpsToday',
        rows: followed,
        at: 'x.created_at',
        goal: goalOf('home.followUpsPerDay', people),
        target: list,
      },
      {
        key: 'agreedShare',
        rows: followed,
        at: 'x.created_at',
        amount: sql`case when x.result = 21 then 10000 else 0 end`,
        target: `${list}?lastResult=21`,
      },
      {
        key: 'convertedToday',
        rows: sql`tele_task t where ${tasksInScope(actor)} and t.state = 'converted'`,
        at: 't.closed_at',
        goal: goalOf('home.conversionsPerDay', people),
        target: `${list}?lane=closed`,
      },
    ]
  },
  arrivals: (actor) =>
    worksHere(actor)
      ? [
          {
            key: 'converted',
            rows: sql`tele_task t where ${tasksInScope(actor)} and t.state = 'converted'`,
            at: 't.closed_at',
            target: `${listOf(segmentsOf(actor)[0] ?? SEGMENTS[0])}?lane=closed`,
          },
        ]
      : [],
}

/** The caller, or the telemarketers of the leader's group, as ids. */
function peopleOf({ userId, rights: { scope, groupId } }: StaffActor): RawBuilder<string> {
  return scope === 'own'
    ? sql<string>`select ${userId}::text`
    : sql<string>`
        select u.id from sys_user u join sys_role g on g.id = u.role_id
        where g.role_flag = 3 and g.data_scope = 'own' and u.status in ('enabled', 'normal')
          and u.group_id is not distinct from ${groupId}::text`
}
