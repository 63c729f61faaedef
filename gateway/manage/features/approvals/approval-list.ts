import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import type { ApprovalRow as RowSchema, listApprovals } from '#shared/approvals/approvals-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime, notNull, onePage, type Sorts, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { scopeName } from '#gateway/manage/kernel/scope.ts'
import { effectOf } from './approval-effect.ts'
import type { ApprovalKind } from './approval-kind.ts'
import type { Approval } from './approval-types.ts'

export type ApprovalRow = Static<typeof RowSchema>

const SORTS: Sorts = {
  requestTime: notNull('a.requested_at'),
}
/** The largest number of orders a request shows. */
const SHOWN = 200

/** Kinds of which the caller may decide every request. */
export function decidableKinds(actor: StaffActor, kinds: readonly ApprovalKind[]): string[] {
  return kinds.flatMap(({ kind, approveCode }) =>
    approveCode !== null && actor.rights.permissions.has(approveCode) ? [kind] : [],
  )
}

/**
 * Predicate over `approval a`: requests for which the caller holds the code and, where the request
 * names one, the data scope.
 */
function decidable(actor: StaffActor, kinds: readonly ApprovalKind[]): RawBuilder<boolean> {
  const { permissions, scope } = actor.rights
  const byRequest = kinds.flatMap(({ kind, approveCode }) => (approveCode === null ? [kind] : []))
  const inScope = scope === 'all' ? sql`true` : sql`a.payload ->> 'scope' = ${scopeName(actor)}`
  return sql<boolean>`(a.kind = any(${decidableKinds(actor, kinds)}::text[])
    or a.kind = any(${byRequest}::text[])
      and a.payload ->> 'code' = any(${[...permissions]}::text[])
      and ${inScope})`
}

function rowJson(actor: StaffActor, kinds: readonly ApprovalKind[]): RawBuilder<unknown> {
  return sql`json_build_object(
    'approvalId', a.id, 'kind', a.kind, 'targetKind', a.target_kind, 'targetId', a.target_id, 'amount',
      a.amount, 'count', a.count, 'reason', a.reason, 'state', a.state, 'requestById', a.requested_by,
      'requestBy', a.requested_by_name,
    'requestTime', ${isoTime('a.requested_at')}, 'decideBy', a.decided_by_name, 'decideTime',
      ${isoTime('a.decided_at')}, 'decideReason', a.decide_reason, 'expireTime', ${isoTime('a.expires_at')},
    'mayDecide', a.state = 'pending' and a.requested_by <> ${actor.userId}
      and ${decidable(actor, kinds)}, 'version', a.version)`
}

/** Own requests, and those the caller may decide. */
function visible(actor: StaffActor, kinds: readonly ApprovalKind[]): RawBuilder<boolean> {
  return sql<boolean>`(a.requested_by = ${actor.userId} or ${decidable(actor, kinds)})`
}

/** Pending requests of others that the caller may decide, as a predicate over `approval a`. */
export function isForDecider(
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
): RawBuilder<boolean> {
  return sql<boolean>`(a.state = 'pending' and a.requested_by <> ${actor.userId}
    and ${decidable(actor, kinds)})`
}

/** Their number. */
export function waitingFor(actor: StaffActor, kinds: readonly ApprovalKind[]): RawBuilder<number> {
  return sql<number>`
    (select count(*)::int from approval a where ${isForDecider(actor, kinds)})`
}

function kindsOf(kinds: readonly ApprovalKind[], menu: string): string[] {
  return kinds.filter((kind) => kind.menu === menu).map(({ kind }) => kind)
}

/** @throws Problem G-FIELD for an unknown sort */
export async function approvalList(
  db: Db,
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
  input: InputOf<typeof listApprovals>,
): Promise<JsonText> {
  const where = sql.join(
    [
      visible(actor, kinds),
      ...(input.kind === undefined ? [] : [sql`a.kind = ${input.kind}`]),
      ...(input.menu === undefined
        ? []
        : [sql`a.kind = any(${kindsOf(kinds, input.menu)}::text[])`]),
      ...(input.state === undefined ? [] : [sql`a.state = ${input.state}`]),
      ...(input.mine === true ? [sql`a.requested_by = ${actor.userId}`] : []),
    ],
    sql` and `,
  )
  const order =
    input.sort === undefined
      ? sql`(a.state = 'pending') desc, case when a.state = 'pending' then a.requested_at end,
          a.requested_at desc, a.id`
      : sortOf(input.sort, SORTS, '', 'a.id')
  return onePage(db, { from: 'approval a', where, order, row: rowJson(actor, kinds), input })
}

export async function approvalRow(
  db: Db,
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
  approvalId: string,
): Promise<ApprovalRow | null> {
  const { rows } = await sql<{ row: ApprovalRow }>`
    select ${rowJson(actor, kinds)} as row
    from approval a
    where a.id = ${approvalId} and ${visible(actor, kinds)}`.execute(db)
  return rows[0]?.row ?? null
}

/**
 * @throws Problem G404 when it does not exist, or is neither the caller's own nor theirs to decide
 */
export async function findApproval(
  context: AppContext,
  actor: StaffActor,
  kinds: readonly ApprovalKind[],
  approvalId: string,
): Promise<DataOf<typeof approvalDetail>> {
  const db = context.database.kysely
  const row = await approvalRow(db, actor, kinds, approvalId)
  const found = await sql<Approval>`
      select a.id, a.kind, a.target_kind, a.target_id, a.payload, a.count, a.amount, a.reason,
        a.requested_by, a.requested_by_name from approval a where a.id = ${approvalId}`.execute(db)
  const approval = found.rows[0]
  const kind = kinds.find((one) => one.kind === approval?.kind)
  if (row === null || !approval || !kind) throw new Problem(NOT_FOUND)
  const orders = await sql<DataOf<typeof approvalDetail>['orders'][number]>`
    select o.id as "orderId", c.name as "userName", o.status, o.outstanding from loan_order o
      join customer c on c.id = o.customer_id
    where o.id = any(${kind.orderIds(approval).slice(0, SHOWN)}::text[]) and ${ordersInScope(actor)}
      order by o.id`.execute(db)
  // a decided request has changed its targets already
  const effect = row.state === 'pending' ? await effectOf(context, actor, kind, approval) : null
  return {
    approval: row,
    orders: orders.rows,
    effect,
    file: kind.fileOf?.(approval) ?? null,
    plan: kind.planOf?.(approval) ?? null,
    role: (await kind.role?.(db, approval)) ?? null,
  }
}
