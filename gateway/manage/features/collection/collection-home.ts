/** Cases on a person's home page. */
import { type RawBuilder, sql } from 'kysely'
import { nextCasePath } from '#shared/collection/case-path.ts'
import {
  countRows,
  type DayFigure,
  goalOf,
  type HomePart,
} from '#gateway/manage/features/home/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { casesInScope } from './case-scope.ts'
import { viewOf } from './cases/case-list.ts'
import { NEXT_DUE } from './cases/case-row.ts'
import { BILL_PLACE, factsInScope, type PlaceColumns } from './figures/figure-parts.ts'
import { IS_ENABLED, isOnDuty, shiftToday } from './setup/duty.ts'

const LIST = '/loaned_management/pedding_list'
const PERFORMANCE = '/loaned_management/urge_performance?dateFrom={today}&dateTo={today}'
const IN_HAND = sql`c.state in ('allocated', 'promised')`

const CONTACT_PLACE: PlaceColumns = {
  agency: 'f.agency_id',
  department: 'f.department_id',
  group: 'f.group_id',
  collector: 'f.operator_id',
  stage: 'f.stage_id',
}
const PROMISE_PLACE: PlaceColumns = {
  agency: 'm.agency_id',
  department: 'm.department_id',
  group: 'm.group_id',
  collector: 'm.collector_id',
  stage: 'm.stage_id',
}
const PERSON_PLACE: PlaceColumns = {
  agency: 'u.agency_id',
  department: 'u.department_id',
  group: 'u.group_id',
  collector: 'u.id',
  stage: 'u.id',
}

const follows = ({ rights }: StaffActor): boolean => rights.permissions.has('pedding_list:follow')
/** Of one unit: its due cases are their work, whoever holds them. */
const leadsUnit = ({ rights }: StaffActor): boolean =>
  rights.scope !== 'all' && rights.permissions.has('pedding_list:allocate')
/** Leaders of all units see the amounts recovered, not the contacts behind them. */
const leads = ({ rights }: StaffActor): boolean =>
  rights.scope === 'all' && rights.permissions.has('recycle_bill:export')

export const COLLECTION_HOME: HomePart = {
  next(actor) {
    const own = sql`collection_case c where c.collector_id = ${actor.userId} and ${IN_HAND}
      and ${viewOf('dueNow')}`
    const team = sql`collection_case c where ${IN_HAND} and ${viewOf('dueNow')}
      and ${casesInScope(actor)}`
    const pool = sql`collection_case c where c.state in ('unallocated', 'allocating')
      and ${casesInScope(actor)}`
    return [
      ...(follows(actor)
        ? [
            {
              key: 'case' as const,
              count: countRows(own),
              time: sql<string | null>`(select min(${sql.raw(NEXT_DUE)}) from ${own})`,
              // the list knows which of them may be contacted now
              target: nextCasePath(actor.userId),
            },
          ]
        : []),
      ...(actor.rights.permissions.has('pedding_list:allocate')
        ? [
            {
              key: 'allocate' as const,
              count: countRows(pool),
              time: sql<string | null>`(select min(c.waiting_since) from ${pool})`,
              target: `${LIST}?tab=desk`,
            },
          ]
        : []),
      ...(leadsUnit(actor)
        ? [
            {
              key: 'teamCases' as const,
              count: countRows(team),
              time: sql<string | null>`(select min(c.next_follow_at) from ${team})`,
              target: `${LIST}?view=dueNow`,
            },
          ]
        : []),
    ]
  },
  lane(actor) {
    if (!follows(actor) && !leads(actor)) return []
    const rows = sql`collection_case c join customer u on u.id = c.customer_id where ${IN_HAND}`
    const one = { id: 'c.id', name: 'u.name', target: (id: string) => `${LIST}?open=${id}` }
    return [
      {
        ...one,
        kind: 'promise',
        rows: sql`${rows} and c.ptp_state = 'open' and ${casesInScope(actor)}`,
        at: 'c.ptp_at',
        list: `${LIST}?view=promisesToday`,
      },
      {
        ...one,
        kind: 'follow',
        rows: sql`${rows} and c.collector_id = ${actor.userId}`,
        at: 'c.next_follow_at',
        list: `${LIST}?view=dueNow`,
      },
    ]
  },
  shift: (actor) =>
    follows(actor)
      ? sql`(select ${shiftToday('u.id')} from sys_user u where u.id = ${actor.userId})`
      : sql`null`,
  figures(actor) {
    if (leads(actor)) return [recovered(actor)]
    if (!follows(actor)) return []
    const people = peopleOnDuty(actor)
    return [
      recovered(actor),
      {
        key: 'contactsToday',
        rows: sql`follow_up f where ${factsInScope(actor, CONTACT_PLACE)}`,
        at: 'f.created_at',
        goal: goalOf('home.contactsPerDay', people),
        target: PERFORMANCE,
      },
      {
        key: 'promisesMade',
        rows: sql`case_promise m where ${factsInScope(actor, PROMISE_PLACE)}`,
        at: 'm.made_at',
        target: PERFORMANCE,
      },
      {
        key: 'promisesKept',
        rows: sql`case_promise m where ${factsInScope(actor, PROMISE_PLACE)}
          and m.state in ('kept', 'keptPart', 'broken')`,
        at: 'm.settled_at',
        amount: sql`case when m.state = 'broken' then 0 else 10000 end`,
        goal: intParameter('board.ptpKept'),
        target: PERFORMANCE,
      },
    ]
  },
  arrivals: (actor) =>
    follows(actor)
      ? [
          {
            key: 'casesAllocated',
            rows: sql`case_allocation g where g.to_user_id = ${actor.userId}`,
            at: 'g.at',
            target: `${LIST}?view=newToday`,
          },
          {
            key: 'paidToCases',
            rows: sql`recovery_bill b where ${factsInScope(actor, BILL_PLACE)} and b.amount > 0`,
            at: 'b.paid_at',
            amount: sql`b.amount`,
            target: `${LIST}?view=paidPartly`,
          },
          {
            key: 'promisesBroken',
            rows: sql`case_promise m where ${factsInScope(actor, PROMISE_PLACE)} and m.state = 'broken'`,
            at: 'm.settled_at',
            target: `${LIST}?view=broken`,
          },
        ]
      : [],
}

/** The measure of the board, of performance and of the bills. */
function recovered(actor: StaffActor): DayFigure {
  return {
    key: 'recoveredToday',
    rows: sql`recovery_bill b where ${factsInScope(actor, BILL_PLACE)}`,
    at: 'b.paid_at',
    amount: sql`b.amount`,
    goal: goalOf('home.recoveredPerDay', sql`100 * ${peopleOnDuty(actor)}`),
    target: PERFORMANCE,
  }
}

/** Collectors of the scope who have a shift today; a collector is one, on any day. */
function peopleOnDuty(actor: StaffActor): RawBuilder<number> {
  return actor.rights.scope === 'own'
    ? sql<number>`1`
    : sql<number>`(
        select count(*)::int from collector k join sys_user u on u.id = k.user_id
        where ${IS_ENABLED} and ${isOnDuty('u.id')} and ${factsInScope(actor, PERSON_PLACE)})`
}
