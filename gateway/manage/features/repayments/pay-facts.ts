/** What counting a payment needs besides its loan. */
import { sql } from 'kysely'
import { type Part, readParts } from '#shared/repayments/allocate-payment.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter, parameterValue } from '#gateway/manage/kernel/parameters.ts'
import { roomsOfOpenCase } from '#gateway/manage/features/collection/case-scope.ts'
import { orderRooms } from '#gateway/manage/features/orders/public.ts'
import {
  NEXT_RECORD_ID,
  plansBeingPaid,
  type RecordChange,
  type RecordRow,
} from './record-store.ts'

export interface PayFacts {
  now: string
  recordId: string
  /** Plans that other payments in progress are made for. */
  beingPaid: ReadonlySet<string | null>
  /** Parameter repay.order. */
  parts: readonly Part[]
  /** Parameter order.badDebtDays. */
  badDebtDays: number
  rooms: ReadonlyMap<string, string[]>
  caseRooms: readonly string[]
  hasCase: boolean
  /** Newest review of the order. */
  reviewId: string | null
}

/** @param recordId null when the payment is not written yet: it gets its id here */
export async function readPayFacts(
  tx: CommandTx,
  orderId: string,
  recordId: string | null,
): Promise<PayFacts> {
  const { rows } = await sql<{
    now: string
    record_id: string
    being_paid: (string | null)[]
    parts: string | null
    bad_debt_days: number
    case_rooms: string[]
    has_case: boolean
    review_id: string | null
  }>`
    select clock_timestamp() as now,
      ${recordId === null ? NEXT_RECORD_ID : sql`${recordId}::text`} as record_id,
      ${plansBeingPaid(orderId, recordId)} as being_paid, ${parameterValue(REPAY_ORDER)} as parts,
      ${intParameter('order.badDebtDays')} as bad_debt_days,
      ${roomsOfOpenCase(sql`${orderId}`)} as case_rooms,
      exists (select from collection_case c where c.order_id = ${orderId}
        and c.state <> 'closed') as has_case,
      (select v.id from review v where v.order_id = ${orderId}
        order by v.created_at desc limit 1) as review_id`.execute(tx.db)
  const row = rows[0] as (typeof rows)[number]
  if (row.parts === null) throw new TypeError(`parameter ${REPAY_ORDER} is missing or disabled`)
  return {
    now: row.now,
    recordId: row.record_id,
    beingPaid: new Set(row.being_paid),
    parts: readParts(row.parts),
    badDebtDays: row.bad_debt_days,
    rooms: new Map([[orderId, [...orderRooms(orderId), ...row.case_rooms]]]),
    caseRooms: row.case_rooms,
    hasCase: row.has_case,
    reviewId: row.review_id,
  }
}
const REPAY_ORDER = 'repay.order'

/**
 * A payment reported just now: its needs were read with the loan, and its row is written at the
 * end.
 */
export interface Arrival {
  facts: PayFacts
  /** Its row once it is in the database. */
  write(change: RecordChange): Promise<RecordRow>
  /** Sends it; its row as it will be. */
  send(change: RecordChange): RecordRow
}
