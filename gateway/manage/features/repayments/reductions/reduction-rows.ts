/** Reductions as their contract rows: the list in one statement, and one of them. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { levelOf, LEVELLED_ROLES } from '#shared/repayments/reduction-sets.ts'
import type { listReductions, ReduceRow as RowSchema } from '#shared/repayments/reductions-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  likeStart,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope, ofOrdersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

export type ReduceRow = Static<typeof RowSchema>

const SORTS: Sorts = {
  launchTime: notNull('d.launched_at'),
  reduceId: notNull('d.id'),
  orderId: notNull('d.order_id'),
  state: 'd.state',
}

const ROW = sql`json_build_object(
  'reduceId', d.id, 'orderId', d.order_id, 'planId', d.plan_id, 'userId', d.customer_id, 'userName', c.name,
    'amountDue', d.amount_due, 'reduceAmount', d.reduce_amount,
  'reduceItems', json_build_object('overdueFine', coalesce((d.items ->> 'overdueFine')::bigint, 0),
    'serviceFee', coalesce((d.items ->> 'serviceFee')::bigint, 0), 'interest',
    coalesce((d.items ->> 'interest')::bigint, 0)),
  'payAmount', d.pay_amount, 'validUntil', d.valid_until::text, 'state', d.state, 'cause', d.cause,
    'reason', d.reason, 'launchById', d.launched_by, 'launchBy', d.launched_by_name, 'launchRole',
    d.launched_role,
  'launchTime', ${isoTime('d.launched_at')}, 'decideById', d.decided_by, 'decideBy', d.decided_by_name,
    'decideTime', ${isoTime('d.decided_at')}, 'decideReason', d.decide_reason, 'caseId', d.case_id,
    'stageId', d.stage_id, 'agencyId', d.agency_id, 'agencyName', a.name,
  'usedTime', ${isoTime('d.used_at')}, 'usedAmount', d.used_amount, 'voidTime', ${isoTime('d.void_at')},
    'version', d.version)`
const JOINS = sql`join customer c on c.id = d.customer_id left join agency a on a.id = d.agency_id`

/** Of orders the caller may see, and those they launched themselves. */
function inScope(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(d.launched_by = ${actor.userId} or ${ofOrdersInScope(actor, 'd.order_id')})`
}

/** The same for lists: either part is found by its index. */
function listed(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  return sql<boolean>`d.id in (
    select x.id from reduction x where x.launched_by = ${actor.userId}
    union all select x.id from reduction x where ${listedInScope(actor, 'x.order_id')})`
}

/** Of `reduceIds` those the caller may see, as a select of their ids. */
export function reductionsInScope(
  actor: StaffActor,
  reduceIds: readonly string[],
): RawBuilder<unknown> {
  return sql`select d.id from reduction d where d.id = any(${[...reduceIds]}::text[]) and ${inScope(actor)}`
}

/**
 * A page in one statement, newest first; rows the caller has to decide oldest first.
 * @throws Problem G-FIELD for a sort the list does not know
 */
export async function reductionList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listReductions>,
): Promise<JsonText> {
  const where = sql`${listed(actor)} and ${filters(actor, input)}`
  const order =
    input.sort === undefined
      ? sql.raw(input.toDecide === true ? 'd.launched_at, d.id' : 'd.launched_at desc, d.id desc')
      : sortOf(input.sort, SORTS, '', 'd.id')
  return onePage(db, { from: 'reduction d', where, order, row: ROW, joins: JOINS, input })
}

function filters(actor: StaffActor, input: InputOf<typeof listReductions>): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.reduceId, (id) => sql`d.id = ${id}`)
  add(input.orderId, (id) => sql`d.order_id = ${id}`)
  add(input.userName, (name) => sql`d.customer_id = ${customersNamed(name)}`)
  add(input.state, (state) => sql`d.state = ${state}`)
  add(input.launchBy, (name) => sql`lower(d.launched_by_name) like ${likeStart(name)}`)
  add(input.stageId, (id) => sql`d.stage_id = ${id}`)
  add(input.agencyId, (id) => sql`d.agency_id = ${id}`)
  add(input.launchTimeFrom, (time) => sql`d.launched_at >= ${time}::timestamptz`)
  add(input.launchTimeTo, (time) => sql`d.launched_at <= ${time}::timestamptz`)
  if (input.toDecide === true) all.push(isToDecide(actor))
  return allOf(all)
}

/** Of `reduction d`: the caller's level may decide it. */
function isToDecide(actor: StaffActor): RawBuilder<boolean> {
  return sql<boolean>`
    d.state = 'pending' and d.launched_by is distinct from ${actor.userId}
      and coalesce(d.launched_role, '') = any(${rolesBelow(actor)}::text[])`
}

/** The reductions of the caller's scope that they may decide, as `reduction d where …`. */
export function reductionsToDecide(actor: StaffActor): RawBuilder<unknown> {
  return sql`reduction d where ${listed(actor)} and ${isToDecide(actor)}`
}

/** Roles whose requests the caller's level may decide. */
function rolesBelow({ rights }: StaffActor): string[] {
  const { level } = levelOf(rights.roleMark)
  return LEVELLED_ROLES.filter((mark) => levelOf(mark).level < level)
}

/** @param actor null = without a scope check: the caller has made it */
export async function reductionRow(
  db: Db,
  reduceId: string,
  actor: StaffActor | null = null,
): Promise<ReduceRow | null> {
  const { rows } = await sql<{
    row: ReduceRow
  }>`
    select ${ROW} as row
    from reduction d ${JOINS}
    where d.id = ${reduceId}
      and ${actor === null ? sql`true` : inScope(actor)}`.execute(db)
  return rows[0]?.row ?? null
}

/** Reductions of the order of instalment `p`, newest first, as JSON. */
export const reductionsOfPlan = sql`
  (select coalesce(json_agg(${ROW} order by d.launched_at desc, d.id desc), '[]') from reduction d ${JOINS}
    where d.order_id = p.order_id)`
