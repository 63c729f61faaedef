/**
 * DISBURSE: 20, 26 → 29 with the first transfer. A separate job sends the transfer, outside any
 * transaction.
 */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { moveOrder } from './move-order.ts'
import { orderRooms } from './order-rooms.ts'
import { lockPayoutFacts, type PayoutFacts } from './payout-facts.ts'
import { payoutTarget } from './payout-target.ts'

/** Paise: the upper limit of an IMPS transfer (₹5,00,000). */
const IMPS_MOST = 50_000_000

export interface PayoutRules {
  /** Minimum name similarity in basis points. */
  nameThreshold: number
  /** Pays out for apps without services of their own. */
  vendorCode: string
}

/** @throws Problem O-STATE when the order is not approved, O-RULE when a guard refuses */
export async function dispatchPayout(
  tx: CommandTx,
  orderId: string,
  { nameThreshold, vendorCode }: PayoutRules,
): Promise<void> {
  const facts = await lockPayoutFacts(tx.db, orderId)
  if (!facts) throw new Problem(NOT_FOUND)
  await moveOrder(
    tx,
    orderId,
    {
      type: 'DISBURSE',
      cardBound: facts.card_bound,
      nameSimilarity: facts.name_similarity / 100,
      nameThreshold: nameThreshold / 100,
      kfsAccepted: facts.kfs_accepted,
      // quota is not consumed by blocked borrowers or products
      quotaLeft: !facts.blacklisted && facts.product_enabled && facts.has_quota,
    },
    { cause: 'payoutDispatch', set: { fail_reason: null } },
  )
  const { cfgId, ...service } = await payoutTarget(tx.db, orderId)
  await openTransfer(tx, orderId, facts, {
    cfgId,
    vendorCode: cfgId === null ? vendorCode : service.vendorCode,
  })
}

export interface TransferWay {
  vendorCode: string
  /** Configuration of the vendor; null: the vendor of the installation, or nobody. */
  cfgId: string | null
  /** Chosen by the amount when omitted. */
  transferType?: string | undefined
}

/**
 * Inserts the next transfer of a locked order; the guard has checked that a card is bound. The
 * sending job picks it up.
 * @returns its number
 */
export async function openTransfer(
  tx: CommandTx,
  orderId: string,
  facts: PayoutFacts,
  way: TransferWay,
): Promise<string> {
  const attemptNo = facts.last_attempt + 1
  const platformOrderNo = `${orderId}-${attemptNo}`
  const transferId = await insertTransfer(tx, orderId, facts, { attemptNo, platformOrderNo }, way)
  tx.emit(PAYOUT_CHANGED, {
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
  tx.log({
    action: 'disburse',
    targetKind: 'order',
    targetId: orderId,
    after: { transferId, attemptNo, amount: facts.arrival_amount },
  })
  tx.afterCommit(() => tx.context.wakeSchedule('payoutSend'))
  return platformOrderNo
}

async function insertTransfer(
  tx: CommandTx,
  orderId: string,
  facts: PayoutFacts,
  { attemptNo, platformOrderNo }: { attemptNo: number; platformOrderNo: string },
  { vendorCode, cfgId, transferType = typeOf(facts.arrival_amount) }: TransferWay,
): Promise<string> {
  // the guard has checked that a card is bound
  const card = facts as PayoutFacts & { card_id: string; account_enc: Buffer }
  const { secrets } = tx.context
  const { rows } = await sql<{
    id: string
  }>`select 'T' || nextval('transfer_id_seq') as id`.execute(tx.db)
  const { id } = rows[0] as { id: string }
  const account = secrets.open('bank_card.account_enc', card.card_id, card.account_enc)
  await sql`
    insert into payout_transfer (id, order_id, platform_order_no, vendor_code, tp_cfg_id, payee_name,
      transfer_type, account_enc, account_last4, ifsc, amount, attempt_no)
    values (${id}, ${orderId}, ${platformOrderNo}, ${vendorCode}, ${cfgId}, ${card.holder},
      ${transferType}, ${secrets.seal('payout_transfer.account_enc', id, account)}, ${card.account_last4}, ${card.ifsc},
      ${facts.arrival_amount}, ${attemptNo})`.execute(tx.db)
  return id
}

function typeOf(amount: number): string {
  return amount > IMPS_MOST ? 'RTGS' : 'IMPS'
}
