/** Failed disbursements are sent again (31 → 29) or given up (31 → 70): up to `bulk.syncMax` at once, more as a job, each row by itself. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/orders/disbursement-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { ordersInScope } from '#gateway/manage/kernel/scope.ts'
import { type FailedPayout, failedPayouts } from './failed-payout.ts'
import { askToResend, giveUpPayout, MENU, resendPayout, vendorNow } from './resend-payout.ts'

/** @throws Problem G422 for a vendor that sends nothing; what a row refuses stands in `failed`, what a second person is asked for in `asked` */
export async function redisburse(
  cx: Cx,
  { orderIds, vendorCode, transferType }: InputOf<typeof api.redisburse>,
): Promise<DataOf<typeof api.redisburse>> {
  const current = await vendorNow(cx.db)
  if (vendorCode !== undefined && vendorCode !== current)
    throw new Problem(INVALID_FIELDS, {}, { fields: { vendorCode: 'unknown' } })
  const params = { vendorCode: current, transferType: transferType ?? null }
  const found = await failedPayouts(
    cx.db,
    'redisburse',
    sql`o.id = any(${orderIds}::text[]) and ${ordersInScope(staff(cx.actor))}`,
  )
  const large = found.filter((failed) => failed.needsApproval && failed.obstacle === null)
  const others = orderIds.filter((id) => !large.some((failed) => failed.orderId === id))
  const asked =
    large.length === 0
      ? NOTHING
      : await rowByRow(
          large.map((failed) => failed.orderId),
          (id) =>
            askToResend(cx, large.find((failed) => failed.orderId === id) as FailedPayout, params),
        )
  const sent = others.length === 0 ? NOTHING : await eachOrder(cx, others, redisburseJob, params)
  return { ...sent, failed: [...sent.failed, ...asked.failed], asked: asked.ok }
}

const NOTHING: BulkResult = { ok: [], failed: [] }

export function cancelDisbursements(
  cx: Cx,
  { orderIds, reason }: InputOf<typeof api.cancelDisbursement>,
): Promise<BulkResult> {
  return eachOrder(cx, orderIds, cancelDisbursementJob, { reason })
}

export const redisburseJob: JobType = {
  type: 'payout.redisburse',
  row: (cx, orderId, { vendorCode, transferType }) =>
    resendPayout(cx, orderId, {
      vendorCode: String(vendorCode),
      transferType: transferType === null ? null : String(transferType),
    }),
}

export const cancelDisbursementJob: JobType = {
  type: 'payout.cancel',
  row: (cx, orderId, { reason }) => giveUpPayout(cx, orderId, String(reason)),
}

function eachOrder(
  cx: Cx,
  orderIds: readonly string[],
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  return inBulk(cx, orderIds, {
    type,
    menu: MENU,
    params,
    known: sql`select o.id from loan_order o where o.id = any(${[...orderIds]}::text[]) and ${ordersInScope(staff(cx.actor))}`,
  })
}

/** What the command would do now, without doing it. */
export async function previewFailed(
  db: Db,
  actor: StaffActor,
  { orderIds, action }: InputOf<typeof api.previewFailed>,
): Promise<DataOf<typeof api.previewFailed>> {
  const found = await failedPayouts(
    db,
    action,
    sql`o.id = any(${orderIds}::text[]) and ${ordersInScope(actor)}`,
  )
  const isLarge = (failed: FailedPayout) => action === 'redisburse' && failed.needsApproval
  const [ready, toApprove] = [false, true].map((large) =>
    found.filter((failed) => failed.obstacle === null && isLarge(failed) === large),
  ) as [FailedPayout[], FailedPayout[]]
  const sum = (rows: FailedPayout[]) => rows.reduce((all, failed) => all + failed.amount, 0)
  return {
    ready: ready.map((failed) => failed.orderId),
    amount: sum(ready),
    toApprove: toApprove.map((failed) => failed.orderId),
    toApproveAmount: sum(toApprove),
    excluded: found.flatMap(({ orderId, obstacle }) =>
      obstacle === null ? [] : [{ orderId, reason: obstacle }],
    ),
  }
}
