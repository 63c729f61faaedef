/** Rows of `reduction`: locked after their order, changed in one place, told to who is concerned. */
import { type RawBuilder, sql } from 'kysely'
import type { ReductionState } from '#shared/repayments/reduction-lifecycle.ts'
import type { ReduceItems, REDUCTION_CAUSES } from '#shared/repayments/reduction-sets.ts'
import { REDUCTION_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { roomsOfOrder } from '#gateway/manage/features/orders/public.ts'

export type ReductionCause = (typeof REDUCTION_CAUSES)[number]

export interface Reduction {
  id: string
  order_id: string
  items: ReduceItems
  reduce_amount: number
  valid_until: string
  frozen_on: string | null
  state: ReductionState
  cause: string | null
  launched_by: string | null
  launched_by_name: string
  launched_role: string | null
  decided_at: string | null
  version: number
}

const COLUMNS = sql.raw(
  'd.id, d.order_id, d.items, d.reduce_amount, d.valid_until, d.frozen_on, d.state, d.cause, d.launched_by, d.launched_by_name, d.launched_role, d.decided_at, d.version',
)

/** As they stand, without a lock: for what only looks. */
export async function readReductions(db: Db, which: RawBuilder<boolean>): Promise<Reduction[]> {
  const { rows } =
    await sql<Reduction>`select ${COLUMNS} from reduction d where ${which} order by d.id`.execute(
      db,
    )
  return rows
}

/** Locks one; its order must be locked before. */
export async function lockReduction(trx: Trx, reduceId: string): Promise<Reduction | null> {
  const { rows } =
    await sql<Reduction>`select ${COLUMNS} from reduction d where d.id = ${reduceId} for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/** The one that is pending or approved, locked. */
export async function lockOpenReduction(trx: Trx, orderId: string): Promise<Reduction | null> {
  const { rows } =
    await sql<Reduction>`select ${COLUMNS} from reduction d where d.order_id = ${orderId} and d.state in ('pending', 'approved') for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/** Order of a reduction, before either is locked. */
export async function orderOfReduction(trx: Trx, reduceId: string): Promise<string | null> {
  const { rows } = await sql<{
    order_id: string
  }>`select d.order_id from reduction d where d.id = ${reduceId}`.execute(trx)
  return rows[0]?.order_id ?? null
}

/** Writes a locked one and tells of it. @param set further columns of `reduction d` */
export async function changeReduction(
  cx: Cx,
  reduction: Reduction,
  state: ReductionState,
  set: RawBuilder<unknown>[] = [],
): Promise<Reduction> {
  const { rows } = await sql<Reduction>`
    update reduction d set ${sql.join([sql`state = ${state}`, sql`version = d.version + 1`, ...set])} where d.id = ${reduction.id} and d.version = ${reduction.version} returning ${COLUMNS}`.execute(
    cx.db,
  )
  const row = rows[0]
  if (!row) throw new Error(`reduction ${reduction.id} changed under its lock`)
  await tellReduction(cx, row)
  return row
}

export async function tellReduction(cx: Cx, reduction: Reduction): Promise<void> {
  const launcher = reduction.launched_by === null ? [] : [`user:${reduction.launched_by}`]
  cx.emit(REDUCTION_CHANGED, {
    subject: `reduction:${reduction.id}`,
    version: reduction.version,
    rooms: [...(await roomsOfOrder(cx.db, reduction.order_id)), 'menu:reduce_list', ...launcher],
    data: {
      reduceId: reduction.id,
      orderId: reduction.order_id,
      state: reduction.state,
      cause: reduction.cause,
      reduceAmount: reduction.reduce_amount,
      validUntil: reduction.valid_until,
    },
  })
}

/** Tells the launcher what became of it, unless he did it himself. */
export function notifyLauncher(
  cx: Cx,
  { id, order_id: orderId, launched_by: userId }: Reduction,
  what: 'approved' | 'rejected' | 'revoked' | 'used' | 'expired',
): void {
  if (userId === null || userId === cx.actor.userId) return
  cx.notify({
    userId,
    kind: 'decision',
    titleKey: `repayments:notice.reduction.${what}`,
    params: { reduceId: id, orderId },
    route: `/order_management/reduce_list?reduceId=${id}`,
  })
}
