/** A node is added, changed, switched on or off. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/telemarketing/node-api.ts'
import { TELE_NODE_CHANGED } from '#shared/telemarketing/tele-live.ts'
import { NODE_NAME_TAKEN } from '#shared/telemarketing/tele-problems.ts'
import { COUPON_OFF } from '#shared/coupons/coupon-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { requireCondition } from './audience.ts'
import { readNodeCatalogue } from './node-columns.ts'
import { readCouponOptions } from '#gateway/manage/features/coupons/public.ts'
import { lockNode, nodeColumns, type NodeRow, readNode } from './node-store.ts'

type Fields = InputOf<typeof api.addNode>

/** @throws Problem X-COND, M-NAME, G422, Q-OFF */
export async function addNode(tx: CommandTx, input: Fields): Promise<NodeRow> {
  await requireFields(tx, input, null)
  const columns = nodeColumns(input)
  const { rows } = await sql<{ id: string }>`
    insert into marketing_node (${sql.raw(columns.map(([name]) => name).join(', '))}, updated_by,
      updated_by_name)
    values (${sql.join(columns.map(([, value]) => value))}, ${tx.actor.userId}, ${tx.actor.userName})
    returning id`.execute(tx.db)
  return saved(tx, 'addNode', (rows[0] as { id: string }).id, null)
}

/** @throws Problem G404, G409, X-COND, M-NAME, G422, Q-OFF */
export async function editNode(
  tx: CommandTx,
  { nodeId, version, ...input }: InputOf<typeof api.editNode>,
): Promise<NodeRow> {
  const before = await lockNode(tx.db, nodeId)
  if (before.version !== version) throw await changedByOther(tx.db, 'marketingNode', nodeId, before)
  await requireFields(tx, input, nodeId, before.couponId)
  const assignments = nodeColumns(input).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await write(tx, nodeId, assignments)
  return saved(tx, 'editNode', nodeId, before)
}

/** @throws Problem G404, G409 */
export async function setNodeStatus(
  tx: CommandTx,
  { nodeId, version, effective }: InputOf<typeof api.setNodeStatus>,
): Promise<NodeRow> {
  const before = await lockNode(tx.db, nodeId)
  if (before.version !== version) throw await changedByOther(tx.db, 'marketingNode', nodeId, before)
  await write(tx, nodeId, [sql`effective = ${effective}`])
  return saved(tx, 'setNodeStatus', nodeId, before)
}

function write(
  tx: CommandTx,
  nodeId: string,
  assignments: ReturnType<typeof sql>[],
): Promise<unknown> {
  return sql`
    update marketing_node set ${sql.join(assignments)}, updated_by = ${tx.actor.userId},
      updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp(), version = version + 1
    where id = ${nodeId}`.execute(tx.db)
}

async function saved(
  tx: CommandTx,
  action: string,
  nodeId: string,
  before: NodeRow | null,
): Promise<NodeRow> {
  const row = await readNode(tx.db, nodeId)
  emitNode(tx, row)
  tx.log({ action, targetKind: 'marketingNode', targetId: nodeId, before, after: row })
  return row
}

export function emitNode(tx: CommandTx, { nodeId, version }: NodeRow): void {
  tx.emit(TELE_NODE_CHANGED, {
    subject: `marketingNode:${nodeId}`,
    version,
    rooms: ['menu:marketing_stage'],
    data: { nodeId },
  })
}

async function requireFields(
  tx: CommandTx,
  input: Fields,
  nodeId: string | null,
  couponBefore: string | null = null,
): Promise<void> {
  const fields: Record<string, string> = {}
  if (input.action !== 'tasks' && input.messageWay === null) fields.messageWay = 'required'
  if (input.type === 'batchRun') {
    if (input.condition === null) fields.condition = 'required'
    if (input.dateDays === null && input.timeHours === null) fields.dateDays = 'required'
  }
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  requireCondition(input.condition, await readNodeCatalogue(tx.db))
  // one that was switched off since stays with the node, which continues without it
  if (input.couponId !== null && input.couponId !== couponBefore)
    await requireCoupon(tx.db, input.couponId)
  // the lock keeps two nodes from taking one name at once; the index would refuse without words
  await sql`select pg_advisory_xact_lock(7104, 0)`.execute(tx.db)
  const { rows } = await sql`
    select 1 from marketing_node n
    where lower(n.name) = lower(${input.name}) and n.id is distinct from ${nodeId}`.execute(tx.db)
  if (rows.length > 0) throw new Problem(NODE_NAME_TAKEN, {}, { fields: { name: 'unique' } })
}

async function requireCoupon(db: Db, couponId: string): Promise<void> {
  const { coupons } = await readCouponOptions(db)
  if (!coupons.some((coupon) => coupon.couponId === couponId)) throw new Problem(COUPON_OFF)
}
