/**
 * Adds a receipt, sent by staff or by the customer's app. Collection of the customer's cases then
 * waits for its review.
 */
import type { FileRule, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { addProof as call, type inboundProof } from '#shared/repayments/proofs-api.ts'
import { PROOF_WAITS } from '#shared/repayments/repayment-problems.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import { takeInline, type Upload } from '#gateway/manage/kernel/uploads.ts'
import { holdForProof } from '#gateway/manage/features/collection/public.ts'
import { checkPayTime, checkUtr, lockLoanInScope } from '../booking/book-payment.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import { isRunning, WRITTEN_OFF_WITH_CLAIM } from '../paid-order.ts'
import { insertProof, waitingProof } from './proof-store.ts'

type ProofInput = InputOf<typeof call>

/** @throws Problem G404, O-STATE, M-UTR, M-PROOF, G-FIELD for an impossible time */
export async function addProof(
  tx: CommandTx,
  input: ProofInput,
  files: readonly Upload[],
): Promise<string> {
  return keep(tx, await lockLoanInScope(tx, input.orderId), input, files)
}

export type TakenProof = ProofInput & { uploads: Upload[] }

/** Before the transaction. @throws Problem G-FILE, G-SIZE */
export async function takeProof({
  files,
  ...fields
}: InputOf<typeof inboundProof>): Promise<TakenProof> {
  return { ...fields, uploads: await takeInline(files, call.files as FileRule) }
}

/**
 * A receipt from the borrower through the app, which knows the owner of the order.
 * @throws Problem as `addProof`
 */
export async function receiveProof(
  tx: CommandTx,
  { uploads, ...fields }: TakenProof,
): Promise<string> {
  const loan = await lockLoan(tx.db, fields.orderId)
  if (!loan) throw new Problem(NOT_FOUND)
  return keep(tx, loan, fields, uploads)
}

async function keep(
  tx: CommandTx,
  loan: Loan,
  { orderId, amount, utr: given, payTime, channel }: ProofInput,
  files: readonly Upload[],
): Promise<string> {
  if (!isRunning(loan.status) && loan.status !== WRITTEN_OFF_WITH_CLAIM)
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  checkPayTime(loan, payTime, await tx.now())
  const utr = given.toUpperCase()
  await checkUtr(tx.db, utr)
  // the order is locked, so a concurrent submission of the same receipt waits here
  const waiting = await waitingProof(tx.db, orderId, utr)
  if (waiting !== null) throw new Problem(PROOF_WAITS, { proofId: waiting }, { proofId: waiting })
  const proof = await insertProof(
    tx,
    {
      orderId,
      customerId: loan.customerId,
      amount,
      utr,
      paidAt: new Date(payTime).toISOString(),
      channel,
    },
    files,
  )
  await holdForProof(tx, { customerId: loan.customerId, proofId: proof.id })
  tx.log({
    action: 'addProof',
    targetKind: 'proof',
    targetId: proof.id,
    after: { orderId, amount, payTime, channel, files: filesInLog(files) },
  })
  return proof.id
}
