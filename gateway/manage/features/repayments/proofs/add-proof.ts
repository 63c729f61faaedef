/** A receipt is sent in, by staff or by the customer's app; from then on collection of his cases waits (domain.md 3, case). */
import type { FileRule, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATE } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { addProof as call, type inboundProof } from '#shared/repayments/proofs-api.ts'
import { PROOF_WAITS } from '#shared/repayments/repayment-problems.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import { takeInline, type Upload } from '#gateway/manage/kernel/uploads.ts'
import { holdForProof } from '#gateway/manage/features/collection/public.ts'
import { checkPayTime, checkUtr, lockLoanInScope } from '../booking/book-payment.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import { isRunning, WRITTEN_OFF_WITH_CLAIM } from '../settle-payment.ts'
import { insertProof, waitingProof } from './proof-store.ts'

type Told = InputOf<typeof call>

/** @throws Problem G404, O-STATE, M-UTR, M-PROOF, G422 for a time that cannot be */
export async function addProof(cx: Cx, told: Told, files: readonly Upload[]): Promise<string> {
  return keep(cx, await lockLoanInScope(cx, told.orderId), told, files)
}

export type TakenProof = Told & { uploads: Upload[] }

/** Before the transaction. @throws Problem G-FILE, G-SIZE */
export async function takeProof({
  files,
  ...told
}: InputOf<typeof inboundProof>): Promise<TakenProof> {
  return { ...told, uploads: await takeInline(files, call.files as FileRule) }
}

/** The borrower's own, through the app, which knows whose order it is. @throws Problem as `addProof` */
export async function receiveProof(cx: Cx, { uploads, ...told }: TakenProof): Promise<string> {
  const loan = await lockLoan(cx.db, told.orderId)
  if (!loan) throw new Problem(NOT_FOUND)
  return keep(cx, loan, told, uploads)
}

async function keep(
  cx: Cx,
  loan: Loan,
  { orderId, amount, utr: given, payTime, channel }: Told,
  files: readonly Upload[],
): Promise<string> {
  if (!isRunning(loan.status) && loan.status !== WRITTEN_OFF_WITH_CLAIM)
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  checkPayTime(loan, payTime, await cx.now())
  const utr = given.toUpperCase()
  await checkUtr(cx.db, utr)
  // the order is locked: whoever sends the same at once waits here
  const waiting = await waitingProof(cx.db, orderId, utr)
  if (waiting !== null) throw new Problem(PROOF_WAITS, { proofId: waiting }, { proofId: waiting })
  const proof = await insertProof(
    cx,
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
  await holdForProof(cx, { customerId: loan.customerId, proofId: proof.id })
  cx.log({
    action: 'addProof',
    targetKind: 'proof',
    targetId: proof.id,
    after: { orderId, amount, payTime, channel, files: filesInLog(files) },
  })
  return proof.id
}
