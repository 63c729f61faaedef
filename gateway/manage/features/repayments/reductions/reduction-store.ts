/** Rows of `reduction`: locked after their order, written in one place, with events and notices. */
import { type RawBuilder, sql } from 'kysely'
import type { ReductionState } from '#shared/repayments/reduction-lifecycle.ts'
import type { ReduceItems, REDUCTION_CAUSES } from '#shared/repayments/reduction-sets.ts'
import { REDUCTION_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
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

const COLUMNS = sql.raw(`
  d.id, d.order_id, d.items, d.reduce_amount, d.valid_until, d.frozen_on, d.state, d.cause,
  d.launched_by, d.launched_by_name, d.launched_role, d.decided_at, d.version`)

/** Rows without a lock: for read-only use. */
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

/** The pending or approved one, locked. */
export async function lockOpenReduction(trx: Trx, orderId: string): Promise<Reduction | null> {
  const { rows } = await sql<Reduction>`
      select ${COLUMNS} from reduction d where d.order_id = ${orderId}
        and d.state in ('pending', 'approved') for update`.execute(trx)
  return rows[0] ?? null
}

/** Order of a reduction, read before either is locked. */
export async function orderOfReduction(trx: Trx, reduceId: string): Promise<string | null> {
  const { rows } = await sql<{
    order_id: string
  }>`select d.order_id from reduction d where d.id = ${reduceId}`.execute(trx)
  return rows[0]?.order_id ?? null
}

/** Writes a locked one and emits its event. @param set further columns of `reduction d` */
export async function changeReduction(
  tx: CommandTx,
  reduction: Reduction,
  state: ReductionState,
  set: RawBuilder<unknown>[] = [],
): Promise<Reduction> {
  const { rows } = await sql<Reduction>`
    update reduction d set ${sql.join([
      sql`
      state = ${state}`,
      sql`version = d.version + 1`,
      ...set,
    ])} where d.id = ${reduction.id}
        and d.version = ${reduction.version} returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`reduction ${reduction.id} changed under its lock`)
  await emitReduction(tx, row)
  return row
}

export async function emitReduction(tx: CommandTx, reduction: Reduction): Promise<void> {
  const launcher = reduction.launched_by === null ? [] : [`user:${reduction.launched_by}`]
  tx.emit(REDUCTION_CHANGED, {
    subject: `reduction:${reduction.id}`,
    version: reduction.version,
    rooms: [...(await roomsOfOrder(tx.db, reduction.order_id)), 'menu:reduce_list', ...launcher],
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

/** Notifies the launcher of the outcome, unless they decided it themselves. */
export function notifyLauncher(
  tx: CommandTx,
  { id, order_id: orderId, launched_by: userId }: Reduction,
  what: 'approved' | 'rejected' | 'revoked' | 'used' | 'expired',
): void {
  if (userId === null || userId === tx.actor.userId) return
  tx.notify({
    userId,
    kind: 'decision',
    titleKey: `repayments:notification.reduction.${what}`,
    params: { reduceId: id, orderId },
    route: `/order_management/reduce_list?reduceId=${id}`,
  })
}
