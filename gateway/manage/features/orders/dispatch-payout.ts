/** DISBURSE (domain.md 3): 20, 26 → 29 with the first transfer. Sending it is another step, outside any transaction (architecture.md 2). */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { moveOrder, orderRooms } from './move-order.ts'
import { lockPayoutFacts, type PayoutFacts } from './payout-facts.ts'

/** Paise: above it IMPS does not carry a transfer (₹5,00,000). */
const IMPS_MOST = 50_000_000

export interface PayoutRules {
  /** Lowest name similarity in basis points. */
  nameThreshold: number
  vendorCode: string
}

/** @throws Problem O-STATE when the order is not passed, O-RULE when a guard refuses */
export async function dispatchPayout(
  cx: Cx,
  orderId: string,
  { nameThreshold, vendorCode }: PayoutRules,
): Promise<void> {
  const facts = await lockPayoutFacts(cx.db, orderId)
  if (!facts) throw new Problem(NOT_FOUND)
  await moveOrder(
    cx,
    orderId,
    {
      type: 'DISBURSE',
      cardBound: facts.card_bound,
      nameSimilarity: facts.name_similarity / 100,
      nameThreshold: nameThreshold / 100,
      kfsAccepted: facts.kfs_accepted,
      // nobody who may not borrow, or of what is not lent, has quota
      quotaLeft: !facts.blacklisted && facts.product_enabled && facts.has_quota,
    },
    { cause: 'payoutDispatch', set: { fail_reason: null } },
  )
  await openTransfer(cx, orderId, facts, { vendorCode })
}

export interface TransferWay {
  vendorCode: string
  /** By the amount when left out. */
  transferType?: string | undefined
}

/** The next attempt of a locked order whose guard has seen a bound card; the sender takes it from here. @returns its number */
export async function openTransfer(
  cx: Cx,
  orderId: string,
  facts: PayoutFacts,
  way: TransferWay,
): Promise<string> {
  const attemptNo = facts.last_attempt + 1
  const platformOrderNo = `${orderId}-${attemptNo}`
  const transferId = await insertTransfer(cx, orderId, facts, { attemptNo, platformOrderNo }, way)
  cx.emit(PAYOUT_CHANGED, {
    subject: `transfer:${transferId}`,
    version: 1,
    rooms: orderRooms(orderId),
    data: {
      transferId,
      orderId,
      payState: 'inProgress',
      attemptNo,
      failReason: null,
      handlingMethod: null,
    },
  })
  cx.log({
    action: 'disburse',
    targetKind: 'order',
    targetId: orderId,
    after: { transferId, attemptNo, amount: facts.arrival_amount },
  })
  cx.afterCommit(() => cx.house.wakeSchedule('payoutSend'))
  return platformOrderNo
}

async function insertTransfer(
  cx: Cx,
  orderId: string,
  facts: PayoutFacts,
  { attemptNo, platformOrderNo }: { attemptNo: number; platformOrderNo: string },
  { vendorCode, transferType = typeOf(facts.arrival_amount) }: TransferWay,
): Promise<string> {
  // the guard has seen a bound card
  const card = facts as PayoutFacts & { card_id: string; account_enc: Buffer }
  const { secrets } = cx.house
  const { rows } = await sql<{
    id: string
  }>`select 'T' || nextval('transfer_id_seq') as id`.execute(cx.db)
  const { id } = rows[0] as { id: string }
  const account = secrets.open('bank_card.account_enc', card.card_id, card.account_enc)
  await sql`
    insert into payout_transfer (id, order_id, platform_order_no, vendor_code, payee_name, transfer_type, account_enc, account_last4, ifsc, amount, attempt_no)
    values (${id}, ${orderId}, ${platformOrderNo}, ${vendorCode}, ${card.holder}, ${transferType}, ${secrets.seal('payout_transfer.account_enc', id, account)}, ${card.account_last4}, ${card.ifsc},
      ${facts.arrival_amount}, ${attemptNo})`.execute(cx.db)
  return id
}

function typeOf(amount: number): string {
  return amount > IMPS_MOST ? 'RTGS' : 'IMPS'
}
