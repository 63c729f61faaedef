/** Failed disbursements are sent again (31 → 29) or given up (31 → 70): up to `bulk.syncMax` at once, more as a job, each row by itself. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/orders/disbursement-api.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { ordersInScope } from '#gateway/manage/kernel/scope.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { openTransfer } from '../dispatch-payout.ts'
import { moveOrder } from '../move-order.ts'
import { lockPayoutFacts } from '../payout-facts.ts'
import { type FailedAction, type FailedPayout, failedPayouts } from './failed-payout.ts'

const MENU = 'wait_relent'
/** Paise a type carries: IMPS to ₹5,00,000, UPI to ₹1,00,000, RTGS from ₹2,00,000 on. */
const CARRIES: Record<string, (amount: number) => boolean> = { IMPS: (amount) => amount <= 50_000_000, UPI: (amount) => amount <= 10_000_000, RTGS: (amount) => amount >= 20_000_000 }

/** @throws Problem G422 for a vendor that sends nothing; what a row refuses stands in `failed`, what a second person is asked for in `asked` */
export async function redisburse(cx: Cx, { orderIds, vendorCode, transferType }: InputOf<typeof api.redisburse>): Promise<DataOf<typeof api.redisburse>> {
  const { rows } = await sql<{ value: string }>`select c.value from sys_config c where c.code = 'payout.vendor'`.execute(cx.db)
  const current = rows[0]?.value ?? ''
  if (vendorCode !== undefined && vendorCode !== current) throw new Problem(INVALID_FIELDS, {}, { fields: { vendorCode: 'unknown' } })
  const params = { vendorCode: current, transferType: transferType ?? null }
  const found = await failedPayouts(cx.db, 'redisburse', sql`o.id = any(${orderIds}::text[]) and ${ordersInScope(staff(cx.actor))}`)
  const large = found.filter((failed) => failed.needsApproval && failed.obstacle === null)
  const others = orderIds.filter((id) => !large.some((failed) => failed.orderId === id))
  const asked = large.length === 0 ? NOTHING : await rowByRow(large.map((failed) => failed.orderId), (id) => ask(cx, large.find((failed) => failed.orderId === id) as FailedPayout, params))
  const sent = others.length === 0 ? NOTHING : await eachOrder(cx, others, redisburseJob, params)
  return { ...sent, failed: [...sent.failed, ...asked.failed], asked: asked.ok }
}

const NOTHING: BulkResult = { ok: [], failed: [] }

/** A request of its own for each order, so that one order waits for one decision. @throws Problem A-OPEN when it waits already, O-RULE */
async function ask(cx: Cx, { orderId, amount, failReason }: FailedPayout, params: { vendorCode: string; transferType: string | null }): Promise<void> {
  refuseType(params.transferType, amount)
  const { id } = await requestApproval(cx, redisburseApproval, { targetKind: 'order', targetId: orderId, payload: { ...params, orderIds: [orderId] }, amount, count: 1, reason: failReason })
  cx.log({ menu: MENU, action: 'redisburse', targetKind: 'approval', targetId: id, after: { orderId, amount } })
}

/** Carried out under its own rules: what stands in the way by then refuses the approval. */
export const redisburseApproval: ApprovalKind = {
  kind: 'redisburse',
  menu: MENU,
  approveCode: 'wait_relent:approve',
  orderIds: ({ payload }) => payload.orderIds as string[],
  async carryOut(cx, { payload }) {
    for (const orderId of payload.orderIds as string[]) await sendAgain(cx, orderId, payload, true)
  },
}

export function cancelDisbursements(cx: Cx, { orderIds, reason }: InputOf<typeof api.cancelDisbursement>): Promise<BulkResult> {
  return eachOrder(cx, orderIds, cancelDisbursementJob, { reason })
}

export const redisburseJob: JobType = {
  type: 'payout.redisburse',
  row: (cx, orderId, params) => sendAgain(cx, orderId, params, false),
}

/** 31 → 29 with a transfer of its own. @throws Problem G404, O-STATE, O-RULE */
async function sendAgain(cx: Cx, orderId: string, params: Record<string, unknown>, isApproved: boolean): Promise<void> {
  const facts = await lockPayoutFacts(cx.db, orderId)
  const { amount, attempts, maxAttempts, cardRebound, needsApproval } = await stillFailed(cx.db, orderId, 'redisburse')
  if (!facts) throw new Problem(NOT_FOUND)
  if (needsApproval && !isApproved) throw new Problem(ORDER_RULE, { reason: 'needsApproval' })
  const transferType = params.transferType === null ? null : String(params.transferType)
  refuseType(transferType, amount)
  await moveOrder(cx, orderId, { type: 'RETRY_PAYOUT', attempts, maxAttempts, cardRebound }, { cause: 'redisburse', set: { fail_reason: null } })
  await openTransfer(cx, orderId, facts, { vendorCode: String(params.vendorCode), transferType: transferType ?? undefined })
}

function refuseType(transferType: string | null, amount: number): void {
  if (transferType !== null && CARRIES[transferType]?.(amount) === false) throw new Problem(ORDER_RULE, { reason: 'transferType' })
}

export const cancelDisbursementJob: JobType = {
  type: 'payout.cancel',
  async row(cx, orderId, params) {
    await sql`select from loan_order o where o.id = ${orderId} for update`.execute(cx.db)
    await stillFailed(cx.db, orderId, 'cancel')
    const reason = String(params.reason)
    const moved = await moveOrder(cx, orderId, { type: 'CANCEL_DISBURSEMENT', provenNotSettled: true }, { cause: 'cancelDisbursement', note: reason })
    cx.log({ menu: MENU, action: 'cancel', targetKind: 'order', targetId: orderId, before: { status: moved.from }, after: { status: moved.to, reason } })
  },
}

/** Of a locked order. @throws Problem O-STATE when it does not wait any more, O-RULE with why a further try or the end of it is refused */
async function stillFailed(db: Db, orderId: string, action: FailedAction): Promise<FailedPayout> {
  const [failed] = await failedPayouts(db, action, sql`o.id = ${orderId}`)
  if (!failed || failed.obstacle === 'notFailed') {
    const { rows } = await sql<{ status: number }>`select o.status from loan_order o where o.id = ${orderId}`.execute(db)
    throw rows[0] ? new Problem(ORDER_STATE, { status: orderStatusName(rows[0].status as Parameters<typeof orderStatusName>[0]) }) : new Problem(NOT_FOUND)
  }
  if (failed.obstacle !== null) throw new Problem(ORDER_RULE, { reason: failed.obstacle })
  return failed
}

/** Ids outside the scope answer like missing ones and never reach the job. */
async function eachOrder(cx: Cx, orderIds: readonly string[], type: JobType, params: Record<string, unknown>): Promise<BulkResult> {
  const { rows } = await sql<{ ids: string[]; sync_max: number }>`
    select coalesce(array_agg(o.id order by o.id), '{}') as ids, (select x.value::int from sys_config x where x.code = 'bulk.syncMax') as sync_max
    from loan_order o where o.id = any(${[...orderIds]}::text[]) and ${ordersInScope(staff(cx.actor))}`.execute(cx.db)
  const { ids, sync_max: syncMax } = rows[0] as { ids: string[]; sync_max: number }
  const missing = orderIds.filter((id) => !ids.includes(id)).map((id) => ({ id, code: NOT_FOUND.code, msg: NOT_FOUND.msg, problem: NOT_FOUND.id, params: {} }))
  if (ids.length > syncMax) return { jobId: await startJob(cx, { type: type.type, menu: MENU, params, targetIds: ids }), ok: [], failed: missing }
  if (ids.length === 0) return { ok: [], failed: missing }
  const done = await rowByRow(ids, (id) => type.row(cx, id, params))
  return { ok: done.ok, failed: [...done.failed, ...missing] }
}

/** What the command would do now, without doing it. */
export async function previewFailed(db: Db, actor: StaffActor, { orderIds, action }: InputOf<typeof api.previewFailed>): Promise<DataOf<typeof api.previewFailed>> {
  const found = await failedPayouts(db, action, sql`o.id = any(${orderIds}::text[]) and ${ordersInScope(actor)}`)
  const isLarge = (failed: FailedPayout) => action === 'redisburse' && failed.needsApproval
  const [ready, toApprove] = [false, true].map((large) => found.filter((failed) => failed.obstacle === null && isLarge(failed) === large)) as [FailedPayout[], FailedPayout[]]
  const sum = (rows: FailedPayout[]) => rows.reduce((all, failed) => all + failed.amount, 0)
  return {
    ready: ready.map((failed) => failed.orderId),
    amount: sum(ready),
    toApprove: toApprove.map((failed) => failed.orderId),
    toApproveAmount: sum(toApprove),
    excluded: found.flatMap(({ orderId, obstacle }) => (obstacle === null ? [] : [{ orderId, reason: obstacle }])),
  }
}
