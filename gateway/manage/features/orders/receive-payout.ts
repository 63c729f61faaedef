/**
 * PAYOUT_OK, PAYOUT_FAIL: the vendor's result of a transfer, from its callback, from polling, or
 * because it refused the instruction. The first result counts; later ones change nothing.
 */
import { sql } from 'kysely'
import { addDays, istDay, istDayEnd } from '#shared/kernel/time.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_RULE } from '#shared/orders/order-problems.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { postDisbursement } from '#gateway/manage/features/repayments/public.ts'
import { amountsOf } from './amounts-of.ts'
import type { OrderTerms } from './order-terms.ts'
import { moveOrder } from './move-order.ts'
import { orderRooms } from './order-rooms.ts'
import { markTransfer } from './transfer-conflict.ts'

export interface PayoutResult {
  platformOrderNo: string
  /** Null when the vendor refused before assigning a number. */
  vendorOrderNo: string | null
  result: 'success' | 'fail'
  failReason?: string
  utr?: string
}

export interface ReceivedPayout {
  orderId: string
  status: number
  /** False for a repeated result. */
  applied: boolean
}

interface TransferRow {
  id: string
  order_id: string
  vendor_order_no: string | null
  pay_state: string
  conflict: 'success' | 'fail' | null
  attempt_no: number
  version: number
  /** Another transfer already has this vendor number. */
  number_taken: boolean
  status: number
  amount: number
  arrival_amount: number
  service_charge: number
  interest: number
  terms: OrderTerms
}

/**
 * @throws Problem G404 for an unknown number, O-RULE (reason vendorOrderNo) when the vendor number
 * differs from the stored one or belongs to another transfer
 */
export async function receivePayout(tx: CommandTx, given: PayoutResult): Promise<ReceivedPayout> {
  const { platformOrderNo, vendorOrderNo } = given
  const transfer = await lockTransfer(tx, platformOrderNo, vendorOrderNo)
  const isOther =
    vendorOrderNo !== null &&
    transfer.vendor_order_no !== null &&
    transfer.vendor_order_no !== vendorOrderNo
  if (isOther || transfer.number_taken) throw new Problem(ORDER_RULE, { reason: 'vendorOrderNo' })
  if (transfer.pay_state !== 'inProgress') {
    await noteConflict(tx, transfer, given)
    return { orderId: transfer.order_id, status: transfer.status, applied: false }
  }
  const failReason = given.result === 'fail' ? (given.failReason ?? 'No reason given') : null
  const version = await endTransfer(tx, transfer, given, failReason)
  const status =
    failReason === null
      ? await openLoan(tx, transfer)
      : await failOrder(tx, transfer.order_id, failReason)
  tx.emit(PAYOUT_CHANGED, {
    subject: `transfer:${transfer.id}`,
    version,
    rooms: orderRooms(transfer.order_id),
    data: {
      transferId: transfer.id,
      orderId: transfer.order_id,
      payState: given.result,
      attemptNo: transfer.attempt_no,
      failReason,
      handlingMethod: null,
    },
  })
  tx.log({
    action: 'payout',
    targetKind: 'transfer',
    targetId: transfer.id,
    after: { result: given.result, failReason, status },
  })
  return { orderId: transfer.order_id, status, applied: true }
}

/** Locks the order's row first, as every command does, then its transfer. */
async function lockTransfer(
  tx: CommandTx,
  platformOrderNo: string,
  vendorOrderNo: string | null,
): Promise<TransferRow> {
  await sql`
    select o.id from loan_order o where o.id = (select t.order_id from payout_transfer t
      where t.platform_order_no = ${platformOrderNo}) for update`.execute(tx.db)
  const { rows } = await sql<TransferRow>`
    select t.id, t.order_id, t.vendor_order_no, t.pay_state, t.conflict, t.attempt_no, t.version,
      exists (select 1 from payout_transfer n where n.vendor_code = t.vendor_code
        and n.vendor_order_no = ${vendorOrderNo}
        and n.id <> t.id) as number_taken, o.status, o.amount, o.arrival_amount, o.service_charge,
        o.interest, o.product_snapshot as terms
    from payout_transfer t join loan_order o on o.id = t.order_id
      where t.platform_order_no = ${platformOrderNo} for update of t`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/**
 * A result that contradicts the first one: money may not be where the ledger has it, so it is
 * logged for staff to check.
 */
async function noteConflict(
  tx: CommandTx,
  transfer: TransferRow,
  { result, utr }: PayoutResult,
): Promise<void> {
  // The same contradiction again is none.
  if (transfer.pay_state === result || transfer.conflict === result) {
    tx.log({ action: 'payout.repeated', targetKind: 'transfer', targetId: transfer.id })
    return
  }
  tx.log({
    action: 'payout.conflict',
    targetKind: 'transfer',
    targetId: transfer.id,
    before: { payState: transfer.pay_state },
    after: { result },
  })
  tx.context.log.error(
    {
      transferId: transfer.id,
      orderId: transfer.order_id,
      stored: transfer.pay_state,
      reported: result,
    },
    'the payout vendor contradicts its earlier result',
  )
  const { id: transferId, order_id: orderId } = transfer
  await markTransfer(tx, { transferId, orderId, result, utr: utr ?? null })
}

async function endTransfer(
  tx: CommandTx,
  transfer: TransferRow,
  { vendorOrderNo, result, utr }: PayoutResult,
  failReason: string | null,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update payout_transfer set pay_state = ${result}, vendor_order_no = coalesce(vendor_order_no,
      ${vendorOrderNo}), sent_at = case when ${vendorOrderNo}::text is null then sent_at
      else coalesce(sent_at, clock_timestamp()) end,
      utr = ${result === 'success' ? (utr ?? null) : null}, fail_reason = ${failReason}, fail_at = case
        when ${failReason}::text is null then null else clock_timestamp() end,
      finished_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1,
      wait_reason = null
    where id = ${transfer.id} and version = ${transfer.version} returning version`.execute(tx.db)
  return (rows[0] as { version: number }).version
}

async function openLoan(tx: CommandTx, transfer: TransferRow): Promise<number> {
  const disbursedAt = await tx.now()
  const { periods, daysPerPeriod, coolingOffDays, emi } = transfer.terms
  // the first instalment of an EMI loan, and with it its interest, follows the day of disbursement
  const booked =
    emi === undefined ? null : amountsOf(transfer.amount, transfer.terms, istDay(disbursedAt))
  const loan = await postDisbursement(
    tx,
    {
      orderId: transfer.order_id,
      amount: transfer.amount,
      arrivalAmount: transfer.arrival_amount,
      serviceCharge: transfer.service_charge,
      interest: booked?.interest ?? transfer.interest,
      periods,
      daysPerPeriod,
      ...(emi === undefined ? {} : { emi }),
      disbursedAt,
      refId: transfer.id,
    },
    orderRooms(transfer.order_id),
  )
  // whole IST days after the day of disbursement, so never fewer than the promised days
  const coolingOffUntil = istDayEnd(addDays(istDay(disbursedAt), coolingOffDays)).toISOString()
  const moved = await moveOrder(
    tx,
    transfer.order_id,
    { type: 'PAYOUT_OK' },
    {
      cause: 'payoutOk',
      set: {
        disbursed_at: disbursedAt,
        due_at: loan.dueAt,
        outstanding: loan.outstanding,
        cooling_off_until: coolingOffUntil,
        fail_reason: null,
        ...(booked === null
          ? {}
          : {
              interest: booked.interest,
              contract_amount: booked.contract,
              tenure_days: booked.tenureDays,
            }),
      },
    },
  )
  return moved.to
}

async function failOrder(tx: CommandTx, orderId: string, failReason: string): Promise<number> {
  const moved = await moveOrder(
    tx,
    orderId,
    { type: 'PAYOUT_FAIL', failReason },
    { cause: 'payoutFail', note: failReason, set: { fail_reason: failReason } },
  )
  return moved.to
}
