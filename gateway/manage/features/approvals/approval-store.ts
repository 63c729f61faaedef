/** Rows of `approval`, and the rooms of their events. */
import { type RawBuilder, sql } from 'kysely'
import type { ApprovalState } from '#shared/approvals/approval-lifecycle.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { APPROVAL_PENDING } from '#shared/approvals/approval-problems.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { SCOPE_NAME } from '#gateway/manage/kernel/scope.ts'
import { type ApprovalKind, codeOf } from './approval-kind.ts'
import type { Approval } from './approval-types.ts'

export interface NewApproval {
  targetKind: string
  /** Null: the request has several targets. */
  targetId: string | null
  /** Ids and codes only, no personal data. */
  payload: Record<string, unknown>
  /** Paise. */
  amount: number
  count: number
  reason: string
}

const COLUMNS = sql.raw(`
  a.id, a.kind, a.target_kind, a.target_id, a.payload, a.amount, a.count, a.reason, a.state,
  a.requested_by, a.requested_by_name, a.expires_at, a.version`)

/**
 * Creates the request in the caller's transaction and notifies the people who may decide.
 * @throws Problem A-OPEN when one for the same target is pending
 */
export async function requestApproval(
  tx: CommandTx,
  kind: Kind,
  request: NewApproval,
): Promise<Approval> {
  const { userId, userName } = staff(tx.actor)
  const { rows } = await sql<Approval>`
    with given as (select 'AP' || nextval('approval_id_seq') as id)
    insert into approval as a (id, kind, target_kind, target_id, payload, amount, count, reason,
      requested_by, requested_by_name, expires_at)
    select g.id, ${kind.kind}, ${request.targetKind}, coalesce(${request.targetId}::text, g.id),
      ${JSON.stringify(request.payload)}::jsonb, ${request.amount}, ${request.count}, ${request.reason}, ${userId},
      ${userName},
      clock_timestamp() + make_interval(hours => (select x.value::int from sys_config x
        where x.code = 'approval.hours')) from given g
    on conflict do nothing returning ${COLUMNS}`.execute(tx.db)
  const approval = rows[0]
  if (!approval) throw new Problem(APPROVAL_PENDING)
  await emitApproval(tx, kind, approval)
  const deciders = await sql<{ id: string }>`
    select u.id from ${deciderRoles(kind, approval)} join sys_user u on u.role_id = g.id
      where u.status in ('enabled', 'normal') and u.id <> ${userId} and ${opensIt(kind, approval)}
      order by u.id limit 50`.execute(tx.db)
  for (const { id } of deciders.rows)
    tx.notify({
      userId: id,
      kind: 'approval',
      titleKey: `approvals:notification.asked.${kind.kind}`,
      params: { approvalId: approval.id, userName, count: request.count },
      route: routeOf(kind),
    })
  return approval
}

export async function lockApproval(trx: Trx, approvalId: string): Promise<Approval | null> {
  const { rows } =
    await sql<Approval>`select ${COLUMNS} from approval a where a.id = ${approvalId} for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/** Writes the final state of a locked request and emits it. */
export async function endApproval(
  tx: CommandTx,
  kind: ApprovalKind,
  approval: Approval,
  state: ApprovalState,
  reason: string | null,
): Promise<Approval> {
  const decided = state === 'approved' || state === 'rejected'
  const { rows } = await sql<Approval>`
    update approval a set ${sql.join([
      sql`state = ${state}`,
      sql`version = a.version + 1`,
      sql`decided_at = clock_timestamp()`,
      sql`decide_reason = ${reason}`,
      ...(decided
        ? [sql`decided_by = ${tx.actor.userId}`, sql`decided_by_name = ${tx.actor.userName}`]
        : []),
    ] as RawBuilder<unknown>[])} where a.id = ${approval.id} and a.version = ${approval.version}
      returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`approval ${approval.id} changed under its lock`)
  await emitApproval(tx, kind, row)
  if (row.requested_by !== tx.actor.userId)
    tx.notify({
      userId: row.requested_by,
      kind: 'decision',
      titleKey: `approvals:notification.${state}`,
      params: { approvalId: row.id },
      route: routeOf(kind),
    })
  if (state !== 'approved') await kind.dropped?.(tx, row)
  return row
}

/**
 * Rooms: the requester, the roles that may decide (for a narrower data scope the people
 * themselves), the screen of its kind, and its order.
 */
async function emitApproval(tx: CommandTx, kind: Kind, approval: Approval): Promise<void> {
  const { rows } = await sql<{ room: string }>`
    select 'role:' || g.unique_mark as room from ${deciderRoles(kind, approval)}
      where ${kind.approveCode !== null} or g.data_scope = 'all'
    union select 'user:' || u.id from ${deciderRoles(kind, approval)} join sys_user u on u.role_id = g.id
      where ${kind.approveCode === null} and g.data_scope <> 'all' and ${opensIt(kind, approval)}`.execute(
    tx.db,
  )
  tx.emit(APPROVAL_CHANGED, {
    subject: `approval:${approval.id}`,
    version: approval.version,
    rooms: [
      `user:${approval.requested_by}`,
      ...rows.map(({ room }) => room),
      ...(kind.menu === null ? [] : [`menu:${kind.menu}`]),
      ...roomOfOrder(approval),
    ],
    data: {
      approvalId: approval.id,
      kind: approval.kind,
      targetId: approval.target_id,
      state: approval.state,
    },
  })
}

function roomOfOrder({ target_kind: kind, target_id: targetId, payload }: Approval): string[] {
  const orderId = kind === 'order' ? targetId : payload.orderId
  return typeof orderId === 'string' ? [`order:${orderId}`] : []
}

type Kind = Pick<ApprovalKind, 'kind' | 'menu' | 'route' | 'approveCode'>

/** Roles `g` that hold the code. */
function deciderRoles(kind: Kind, approval: Approval): RawBuilder<unknown> {
  const [menu = '', action = ''] = codeOf(kind, approval).split(':')
  return sql`
    sys_role g
    join sys_role_menu x on x.role_id = g.id and x.menu_id = ${`M_${menu}`} and ${action} = any(x.buttons)`
}

/** Whether the data scope of `u` with the role `g` covers the request. */
function opensIt(kind: Kind, { payload }: Approval): RawBuilder<boolean> {
  return kind.approveCode === null
    ? sql<boolean>`(g.data_scope = 'all' or ${SCOPE_NAME} = ${String(payload.scope)})`
    : sql<boolean>`true`
}

/** Where it is decided: beside the list of its kind, or in the list of all requests. */
function routeOf({ menu, route }: Kind): string {
  return route ?? (menu === null ? '/home_page?tab=decide' : `/order_management/${menu}?requests=1`)
}
