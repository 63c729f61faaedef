/**
 * Retries failed disbursements (31 → 29) or gives them up (31 → 70): up to `bulk.syncMax` rows in
 * the call, more as a job, each row in its own transaction.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/orders/disbursement-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { ordersInScope } from '../order-scope.ts'
import { type FailedPayout, failedPayouts } from './failed-payout.ts'
import { payoutTarget } from '../payout-target.ts'
import { usablePayoutVendors } from './payout-vendor-queries.ts'
import { requestResend, giveUpPayout, MENU, type Resending, resendPayout } from './resend-payout.ts'

/**
 * @throws Problem G-FIELD for a vendor that is not active; refused rows are in `failed`, rows sent to
 * approval in `asked`
 */
export async function redisburse(
  tx: CommandTx,
  { orderIds, vendorCode, transferType }: InputOf<typeof api.redisburse>,
): Promise<DataOf<typeof api.redisburse>> {
  if (vendorCode !== undefined && !(await usablePayoutVendors(tx.db)).includes(vendorCode))
    throw new Problem(INVALID_FIELDS, {}, { fields: { vendorCode: 'unknown' } })
  const params = { vendorCode: vendorCode ?? null, transferType: transferType ?? null }
  const found = await failedPayouts(
    tx.db,
    'redisburse',
    sql`o.id = any(${orderIds}::text[]) and ${ordersInScope(staff(tx.actor))}`,
  )
  const large = found.filter((failed) => failed.needsApproval && failed.obstacle === null)
  const others = orderIds.filter((id) => !large.some((failed) => failed.orderId === id))
  const requested =
    large.length === 0
      ? NOTHING
      : await rowByRow(
          large.map((failed) => failed.orderId),
          async (id) =>
            requestResend(
              tx,
              large.find((failed) => failed.orderId === id) as FailedPayout,
              await wayOf(tx.db, id, params),
            ),
        )
  const sent = others.length === 0 ? NOTHING : await eachOrder(tx, others, redisburseJob, params)
  return { ...sent, failed: [...sent.failed, ...requested.failed], asked: requested.ok }
}

const NOTHING: BulkResult = { ok: [], failed: [] }

export function cancelDisbursements(
  tx: CommandTx,
  { orderIds, reason }: InputOf<typeof api.cancelDisbursement>,
): Promise<BulkResult> {
  return eachOrder(tx, orderIds, cancelDisbursementJob, { reason })
}

export const redisburseJob: JobType = {
  type: 'payout.redisburse',
  row: async (tx, orderId, { vendorCode, transferType }) =>
    resendPayout(
      tx,
      orderId,
      await wayOf(tx.db, orderId, {
        vendorCode: typeof vendorCode === 'string' ? vendorCode : null,
        transferType: typeof transferType === 'string' ? transferType : null,
      }),
    ),
}

/** Without a vendor each order goes to the one its app uses. */
async function wayOf(
  db: Db,
  orderId: string,
  { vendorCode, transferType }: { vendorCode: string | null; transferType: string | null },
): Promise<Resending> {
  return { vendorCode: vendorCode ?? (await payoutTarget(db, orderId)).vendorCode, transferType }
}

export const cancelDisbursementJob: JobType = {
  type: 'payout.cancel',
  row: (tx, orderId, { reason }) => giveUpPayout(tx, orderId, String(reason)),
}

function eachOrder(
  tx: CommandTx,
  orderIds: readonly string[],
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  return inBulk(tx, orderIds, {
    type,
    menu: MENU,
    params,
    known: sql`
      select o.id from loan_order o where o.id = any(${[...orderIds]}::text[])
        and ${ordersInScope(staff(tx.actor))}`,
  })
}

/** What the command would do now; changes nothing. */
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
