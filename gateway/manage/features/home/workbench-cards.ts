/**
 * The figures of a person's workbench. Each uses the predicates of the list it links to, so the two
 * always agree; all are read in one statement.
 */
import { type RawBuilder, sql } from 'kysely'
import type { workbench } from '#shared/home/home-api.ts'
import type { CardKey } from '#shared/home/workbench-cards.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import {
  type ApprovalKind,
  decidableKinds,
  waitingFor,
} from '#gateway/manage/features/approvals/public.ts'
import {
  caseView,
  IST_MIDNIGHT,
  IST_TODAY,
  ownRank,
  recoveredToday,
} from '#gateway/manage/features/collection/public.ts'
import { IS_LOAN } from '#gateway/manage/features/orders/public.ts'
import { IS_RECEIVED, recordsInScope } from '#gateway/manage/features/repayments/public.ts'
import { reviewTab } from '#gateway/manage/features/review/public.ts'
import { DUE_SOON } from '#gateway/manage/features/tickets/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { segmentsOf, tasksInScope } from '#gateway/manage/features/telemarketing/tele-scope.ts'
import { reviewsInScope } from '#gateway/manage/features/review/review-scope.ts'
import { ticketsInScope } from '#gateway/manage/features/tickets/ticket-scope.ts'

type Card = DataOf<typeof workbench>['cards'][number]
interface Figure {
  key: CardKey
  part?: string
  value: RawBuilder<number | null>
  /** `{today}` is replaced by the IST day of the figures. */
  target: string
}

/**
 * The codes a person holds decide which figures are shown. An administrator holds all codes and
 * gets none.
 */
export async function findCards(
  db: Db,
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
): Promise<Card[]> {
  const figures =
    actor.rights.roleMark === ADMINISTRATOR
      ? []
      : [
          ...ofManagers(actor, kinds),
          ...ofReviewers(actor),
          ...ofClerks(actor),
          ...ofCollectors(actor),
          ...ofTelemarketers(actor),
        ]
  if (figures.length === 0) return []
  const { rows } = await sql<{ today: string; values: (number | null)[] }>`
    select ${IST_TODAY}::text as today, json_build_array(${sql.join(figures.map(({ value }) => value))}) as
      values`.execute(db)
  const { today, values } = rows[0] as { today: string; values: (number | null)[] }
  const cards = figures.map(({ key, part, target }, at): Card => ({
    key,
    part: part ?? null,
    value: values[at] ?? null,
    target: target.replaceAll('{today}', today),
  }))
  if (actor.rights.scope !== 'own' || !cards.some(({ key }) => key === 'recoveredToday'))
    return cards
  const rank = await ownRank(db, actor, { dateFrom: today, dateTo: today })
  return [
    ...cards,
    {
      key: 'rank',
      part: null,
      value: rank.of.get(actor.userId) ?? null,
      target: PERFORMANCE.replaceAll('{today}', today),
    },
  ]
}

const ORDERS = '/order_management/order_list'
const REVIEWS = '/order_management/review_list'
const TICKETS = '/customer_management/user_feedback'
const CASES = '/loaned_management/pedding_list'
const PERFORMANCE = '/loaned_management/urge_performance?dateFrom={today}&dateTo={today}'
const TODAYS = (name: string) => `${name}From={today}&${name}To={today}`

function ofManagers(actor: StaffActor, kinds: readonly ApprovalKind[]): Figure[] {
  const { permissions } = actor.rights
  const orders = (key: CardKey, statuses: readonly number[]): Figure => ({
    key,
    value: capped(
      sql`loan_order o where ${ordersInScope(actor)} and o.status = any(${[...statuses]}::int[])`,
    ),
    target: `${ORDERS}?${statuses.map((status) => `status=${status}`).join('&')}`,
  })
  return [
    ...(permissions.has('order_list:export')
      ? [
          orders('reviewing', [10]),
          orders('awaitingReview', [22]),
          orders('disbursing', [29]),
          orders('awaitingRepayment', [30]),
          orders('overdue', [50, 90]),
        ]
      : []),
    ...(permissions.has('loan_list:export')
      ? [
          {
            key: 'disbursedToday',
            value: sum(
              sql`o.amount`,
              sql`loan_order o where ${ordersInScope(actor)} and ${IS_LOAN} and ${isToday('o.disbursed_at')}`,
            ),
            target: `/order_management/loan_list?${TODAYS('disburseTime')}`,
          } as const,
        ]
      : []),
    ...(permissions.has('repay_record:export')
      ? [
          {
            key: 'repaidToday',
            value: sum(
              sql`r.amount`,
              sql`
                repay_record r where ${recordsInScope(actor)} and ${IS_RECEIVED}
                  and ${isToday('r.paid_at')}`,
            ),
            target: `/order_management/repay_record?payState=success&reversed=false&${TODAYS('payTime')}`,
          } as const,
        ]
      : []),
    ...(permissions.has('wait_relent:approve')
      ? [
          {
            key: 'disbursementFailed',
            value: capped(sql`loan_order o where ${ordersInScope(actor)} and o.status = 31`),
            target: '/order_management/wait_relent',
          } as const,
        ]
      : []),
    ...(decidableKinds(actor, kinds).length > 0
      ? [
          {
            key: 'toApprove',
            value: waitingFor(actor, kinds),
            target: '/home_page?tab=decide',
          } as const,
        ]
      : []),
  ]
}

function ofReviewers(actor: StaffActor): Figure[] {
  const { permissions } = actor.rights
  const decided = sql`${reviewsOf('quality', actor)} and ${isToday('r.finished_at')}`
  const todays = `${REVIEWS}?tab=quality&${TODAYS('finishTime')}`
  return [
    ...(permissions.has('review_list:claim')
      ? ([
          {
            key: 'claimable',
            value: capped(reviewsOf('queue', actor)),
            target: `${REVIEWS}?tab=queue`,
          },
          { key: 'mine', value: capped(reviewsOf('mine', actor)), target: `${REVIEWS}?tab=mine` },
          { key: 'decidedToday', value: capped(decided), target: todays },
          {
            key: 'averageTime',
            value: sql<
              number | null
            >`(select round(avg(extract(epoch from r.decided_at - r.opened_at)))::int from ${decided})`,
            target: todays,
          },
        ] as const)
      : []),
    ...(permissions.has('review_list:quality')
      ? [
          {
            key: 'toCheck',
            value: capped(sql`${reviewsOf('quality', actor)} and r.quality = 'notChecked'`),
            target: `${REVIEWS}?tab=quality&quality=notChecked`,
          } as const,
        ]
      : []),
  ]
}

function reviewsOf(tab: Parameters<typeof reviewTab>[0], actor: StaffActor): RawBuilder<unknown> {
  return sql`review r where ${reviewsInScope(actor)} and ${reviewTab(tab, actor)}`
}

/** People who answer tickets and lead nobody who does. */
function ofClerks(actor: StaffActor): Figure[] {
  const { permissions } = actor.rights
  if (!permissions.has('user_feedback:reply') || permissions.has('user_feedback:decide')) return []
  const tickets = (key: CardKey, where: RawBuilder<unknown>, query: string): Figure => ({
    key,
    value: capped(sql`feedback t where ${ticketsInScope(actor)} and ${where}`),
    target: `${TICKETS}?tab=queue&${query}`,
  })
  return [
    tickets('ticketsWaiting', sql`t.progress = 'unprocessed'`, 'progress=unprocessed'),
    tickets('ticketsOpen', sql`t.progress = 'followingUp'`, 'progress=followingUp'),
    tickets('ticketsDueSoon', DUE_SOON, 'dueSoon=true'),
  ]
}

function ofCollectors(actor: StaffActor): Figure[] {
  if (!actor.rights.permissions.has('pedding_list:follow')) return []
  const cases = (view: 'dueNow' | 'promisesToday') =>
    sql`
      collection_case c where c.state in ('allocated', 'promised') and ${casesInScope(actor)}
        and ${caseView(view)}`
  return [
    { key: 'casesDue', value: capped(cases('dueNow')), target: `${CASES}?view=dueNow` },
    {
      key: 'promisesToday',
      value: capped(cases('promisesToday')),
      target: `${CASES}?view=promisesToday`,
    },
    {
      key: 'promisedToday',
      value: sum(sql`c.ptp_amount`, cases('promisesToday')),
      target: `${CASES}?view=promisesToday`,
    },
    { key: 'recoveredToday', value: recoveredToday(actor), target: PERFORMANCE },
  ]
}

/**
 * The customers a telemarketer has, or a leader's group, in each of their segments; leaders of
 * all groups have other cards.
 */
function ofTelemarketers(actor: StaffActor): Figure[] {
  if (actor.rights.scope === 'all') return []
  const segments = segmentsOf(actor, 'follow')
  const each = (key: CardKey, which: RawBuilder<unknown>, query: string): Figure[] =>
    segments.map((segment) => ({
      key,
      ...(segments.length > 1 ? { part: segment } : {}),
      value: capped(sql`
        tele_task t where ${tasksInScope(actor)} and t.segment = ${segment} and t.closed_at is null
          ${which}`),
      target: `/customer_management/marketing_center/${segment}${query}`,
    }))
  const isDue = sql`and t.next_follow_at < ${IST_MIDNIGHT} + interval '1 day'`
  return [...each('teleDue', isDue, '?lane=due'), ...each('teleTasks', sql``, '')]
}

function capped(from: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (select from ${from} limit ${TOTAL_CAP + 1}) n)`
}

/** Paise. */
function sum(amount: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(${amount}), 0)::bigint from ${from})`
}

/** @param column a trusted column expression */
function isToday(column: string): RawBuilder<boolean> {
  return sql<boolean>`
    ${sql.ref(column)} >= ${IST_MIDNIGHT} and ${sql.ref(column)} < ${IST_MIDNIGHT} + interval '1 day'`
}
