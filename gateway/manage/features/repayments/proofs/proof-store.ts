/** Rows of `repay_proof` and their files: locked after their order, with events and notices. */
import { sql } from 'kysely'
import type { ProofState } from '#shared/repayments/proof-sets.ts'
import { PROOF_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { keepFiles } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { roomsOfOrder } from '#gateway/manage/features/orders/public.ts'

export interface Proof {
  id: string
  order_id: string
  utr: string
  paid_at: string
  submitter: 'customer' | 'staff'
  submitted_by: string | null
  submitted_by_name: string
  state: ProofState
  version: number
}

export interface NewProof {
  orderId: string
  customerId: string
  amount: number
  utr: string
  /** ISO 8601 */
  paidAt: string
  channel: number
}

const COLUMNS = sql.raw(
  'f.id, f.order_id, f.utr, f.paid_at, f.submitter, f.submitted_by, f.submitted_by_name, f.state, f.version',
)

/** Locks one; its order must be locked before. */
export async function lockProof(trx: Trx, proofId: string): Promise<Proof | null> {
  const { rows } =
    await sql<Proof>`select ${COLUMNS} from repay_proof f where f.id = ${proofId} for update`.execute(
      trx,
    )
  return rows[0] ?? null
}

/** The pending proof with this receipt. */
export async function waitingProof(trx: Trx, orderId: string, utr: string): Promise<string | null> {
  const { rows } = await sql<{
    id: string
  }>`select f.id from repay_proof f where f.order_id = ${orderId} and f.utr = ${utr} and f.state = 'pending'`.execute(
    trx,
  )
  return rows[0]?.id ?? null
}

/** The acting user, otherwise the customer through the app. */
export async function insertProof(
  tx: CommandTx,
  { orderId, customerId, amount, utr, paidAt, channel }: NewProof,
  files: readonly Upload[],
): Promise<Proof> {
  const { userId, userName } = tx.actor
  const { rows } = await sql<Proof>`
    insert into repay_proof as f (order_id, customer_id, amount, utr, paid_at, channel, submitter,
      submitted_by, submitted_by_name)
    values (${orderId}, ${customerId}, ${amount}, ${utr}, ${paidAt}::timestamptz, ${channel},
      ${userId === null ? 'customer' : 'staff'}, ${userId}, ${userName}) returning ${COLUMNS}`.execute(
    tx.db,
  )
  const proof = rows[0] as Proof
  const ids = await keepFiles(
    tx,
    { purpose: 'proof', name: proof.id, ownerId: userId ?? customerId },
    files,
  )
  await sql`
    insert into repay_proof_file (proof_id, n, file_id) select ${proof.id}, x.n, x.id
      from unnest(${ids}::text[]) with ordinality x(id, n)`.execute(tx.db)
  await emitProof(tx, proof)
  return proof
}

/** Writes the decision of a locked proof and emits its event. */
export async function writeDecision(
  tx: CommandTx,
  proof: Proof,
  to: { state: ProofState; reason: string | null; recordId: string | null },
): Promise<Proof> {
  const { rows } = await sql<Proof>`
    update repay_proof f set state = ${to.state}, reason = ${to.reason}, record_id = ${to.recordId},
      decided_by = ${tx.actor.userId}, decided_by_name = ${tx.actor.userName},
      decided_at = clock_timestamp(), version = f.version + 1
    where f.id = ${proof.id} and f.version = ${proof.version} returning ${COLUMNS}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Error(`proof ${proof.id} changed under its lock`)
  await emitProof(tx, row)
  return row
}

async function emitProof(
  tx: CommandTx,
  { id, order_id: orderId, state, version }: Proof,
): Promise<void> {
  tx.emit(PROOF_CHANGED, {
    subject: `proof:${id}`,
    version,
    rooms: [...(await roomsOfOrder(tx.db, orderId)), 'menu:repay_proof'],
    data: { proofId: id, orderId, state },
  })
}
