/**
 * Writes off many orders and keeps their claims: one person requests, another approves, a job
 * writes off the rows.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOTHING_SELECTED, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import { ordersNamedIn } from '#shared/repayments/order-ids.ts'
import { BATCH_FROM, BATCH_MOST } from '#shared/repayments/write-off-sets.ts'
import type {
  batchWriteOff as call,
  previewBatchWriteOff as previewCall,
} from '#shared/repayments/write-offs-api.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { sheetText } from '#gateway/manage/kernel/sheet-text.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { lockLoan } from '../loan-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { writeOffLoan } from './write-off-loan.ts'

const JOB = 'writeOff.batch'
/** Maximum number of excluded orders in an answer. */
const NAMED = 200

export const batchWriteOffApproval: ApprovalKind = {
  kind: 'batchWriteOff',
  menu: 'flat_management',
  approveCode: 'flat_management:approve',
  orderIds: ({ payload }) => payload.orderIds as string[],
  async carryOut(
    tx,
    { id, payload, reason, requested_by: operatorId, requested_by_name: operatorName },
  ) {
    const { userId, userName } = staff(tx.actor)
    await startJob(tx, {
      type: JOB,
      menu: 'flat_management',
      params: {
        approvalId: id,
        reason,
        operatorId,
        operatorName,
        confirmerId: userId,
        confirmerName: userName,
      },
      targetIds: payload.orderIds as string[],
      singletonKey: id,
      owner: { userId: operatorId, userName: operatorName },
    })
  },
}

/**
 * Requests the batch; excluded orders are named in the answer.
 * @throws Problem G-SEL when no order is left, A-OPEN
 */
export async function requestBatchWriteOff(
  tx: CommandTx,
  { orderIds, reason }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { included, excluded, total } = await sortOut(tx, orderIds)
  if (included.length === 0)
    throw new Problem(NOTHING_SELECTED, {}, { excluded: excluded.slice(0, NAMED) })
  const approval = await requestApproval(tx, batchWriteOffApproval, {
    targetKind: 'orders',
    targetId: null,
    payload: { orderIds: included },
    amount: total,
    count: included.length,
    reason,
  })
  tx.log({
    action: 'batchWriteOff',
    targetKind: 'approval',
    targetId: approval.id,
    after: { count: included.length, total, excluded: excluded.length, reason },
  })
  return {
    approvalId: approval.id,
    count: included.length,
    total,
    excluded: excluded.slice(0, NAMED),
    excludedCount: excluded.length,
  }
}

/** Previews the request for a pasted list, a sheet, or both. @throws Problem G-FILE */
export async function previewBatchWriteOff(
  tx: CommandTx,
  { list = '' }: InputOf<typeof previewCall>,
  files: readonly Upload[],
): Promise<DataOf<typeof previewCall>> {
  const { orderIds, repeated, unreadable } = ordersNamedIn(
    [list, ...files.map(sheetText)].join('\n'),
  )
  const { included, excluded, total } = await sortOut(tx, orderIds.slice(0, BATCH_MOST))
  const why = (ids: readonly string[], reason: Excluded['why']): Excluded[] =>
    ids.map((orderId) => ({ orderId: orderId.slice(0, 64), why: reason }))
  const all = [
    ...excluded,
    ...why(unreadable, 'unreadable'),
    ...why(repeated, 'repeated'),
    ...why(orderIds.slice(BATCH_MOST), 'tooMany'),
  ]
  tx.log({
    action: 'previewWriteOff',
    after: { count: included.length, total, excluded: all.length },
  })
  return { orderIds: included, total, excluded: all.slice(0, NAMED), excludedCount: all.length }
}

type Excluded = DataOf<typeof call>['excluded'][number]

async function sortOut(
  tx: CommandTx,
  orderIds: readonly string[],
): Promise<{ included: string[]; excluded: Excluded[]; total: number }> {
  const { rows } = await sql<{ id: string; status: number; outstanding: number; busy: boolean }>`
    select o.id, o.status, o.outstanding,
      exists (select 1 from repay_record r where r.order_id = o.id and r.pay_state = 'inProgress'
        and r.flag is null) or exists (select 1 from reduction d where d.order_id = o.id
        and d.state in ('pending', 'approved')) as busy
    from loan_order o where o.id = any(${[...orderIds]}::text[]) and ${ordersInScope(staff(tx.actor))}
      order by o.id`.execute(tx.db)
  const known = new Map(rows.map((row) => [row.id, row]))
  const included = rows.filter((row) => BATCH_FROM.includes(row.status) && !row.busy)
  const excluded = orderIds.flatMap((orderId): Excluded[] => {
    const row = known.get(orderId)
    if (!row) return [{ orderId, why: 'unknown' }]
    if (row.busy || row.status === 43) return [{ orderId, why: 'busy' }]
    return BATCH_FROM.includes(row.status) ? [] : [{ orderId, why: 'status' }]
  })
  return {
    included: included.map((row) => row.id),
    excluded,
    total: included.reduce((sum, row) => sum + row.outstanding, 0),
  }
}

/**
 * One order of an approved batch: 50, 90 → 110.
 * @throws Problem (in the job's result) when the order has changed
 */
export function batchWriteOffJob(whenPaid: readonly WhenPaid[]): JobType {
  return {
    type: JOB,
    async row(tx, orderId, params) {
      const loan = await lockLoan(tx.db, orderId)
      if (!loan) throw new Problem(NOT_FOUND)
      const text = (name: string) => String(params[name])
      await writeOffLoan(
        tx,
        loan,
        {
          type: 'batch',
          reason: text('reason'),
          repaymentDate: istDay(await tx.now()),
          operator: { id: text('operatorId'), name: text('operatorName') },
          confirmer: { id: text('confirmerId'), name: text('confirmerName') },
          approvalId: text('approvalId'),
          event: () => ({ type: 'BATCH_WRITE_OFF', batchApproved: true }),
        },
        whenPaid,
      )
    },
  }
}
