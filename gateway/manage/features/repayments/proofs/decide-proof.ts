/**
 * A proof is accepted or rejected by another person. Accepting books the payment and receives it, in this one transaction and by
 * the functions that booking and confirming use: a proof has no way of its own into the books. Either way the hold ends.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { REASON_REQUIRED } from '#shared/orders/order-problems.ts'
import { proofLifecycle } from '#shared/repayments/proof-lifecycle.ts'
import type { decideProof as call } from '#shared/repayments/proofs-api.ts'
import { PROOF_STATE } from '#shared/repayments/repayment-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { endProof } from '#gateway/manage/features/collection/public.ts'
import { bookPayment, checkUtr, lockLoanInScope } from '../booking/book-payment.ts'
import { receiveMoney } from '../booking/confirm-payment.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import type { WhenPaid } from '../settle-payment.ts'
import { proofRow, proofsInScope } from './proof-rows.ts'
import { lockProof, type Proof, writeDecision } from './proof-store.ts'

type Input = InputOf<typeof call>

/** @throws Problem G404, G409, G-SELF, M-PRFST, M-REA, M-UTR, M-AMT, M-OPEN, O-STATE, G422 */
export async function decideProof(
  cx: Cx,
  input: Input,
  whenPaid: readonly WhenPaid[],
): Promise<DataOf<typeof call>> {
  const actor = staff(cx.actor)
  const { proofId, result, reason } = input
  if (result === 'rejected' && reason === undefined)
    throw new Problem(REASON_REQUIRED, {}, { fields: { reason: 'required' } })
  const { loan, proof } = await lockBoth(cx, proofId)
  if (proof.state !== 'pending')
    throw new Problem(PROOF_STATE, { state: proof.state }, await proofRow(cx.db, actor, proofId))
  if (proof.version !== input.version)
    throw await changedByOther(cx.db, 'proof', proofId, await proofRow(cx.db, actor, proofId))
  const bySubmitter = proof.submitted_by === actor.userId
  if (bySubmitter) throw new Problem(OWN_REQUEST)
  const state = proofLifecycle.next(
    'pending',
    result === 'accepted'
      ? { type: 'ACCEPT', bySubmitter }
      : { type: 'REJECT', bySubmitter, reason: reason ?? '' },
  )
  const recordId = result === 'accepted' ? await pay(cx, loan, proof, input, whenPaid) : null
  await writeDecision(cx, proof, { state, reason: reason ?? null, recordId })
  await endProof(cx, { proofId })
  cx.log({
    action: 'decideProof',
    targetKind: 'proof',
    targetId: proofId,
    before: { state: proof.state },
    after: {
      state,
      orderId: proof.order_id,
      ...(recordId === null
        ? { reason }
        : { recordId, amount: input.amount, repaymentType: input.repaymentType }),
    },
  })
  if (proof.submitted_by !== null) {
    cx.notify({
      userId: proof.submitted_by,
      kind: 'decision',
      titleKey: `repayments:notice.proof.${result}`,
      params: { proofId, orderId: proof.order_id },
      route: `/order_management/repay_proof?proofId=${proofId}`,
    })
  }
  return { proof: await proofRow(cx.db, actor, proofId), recordId }
}

/** The order before the proof, as every command does. */
async function lockBoth(cx: Cx, proofId: string): Promise<{ loan: Loan; proof: Proof }> {
  const { rows } = await sql<{
    order_id: string
  }>`select f.order_id from repay_proof f where f.id = ${proofId} and ${proofsInScope(staff(cx.actor))}`.execute(
    cx.db,
  )
  const orderId = rows[0]?.order_id
  if (orderId === undefined) throw new Problem(NOT_FOUND)
  const loan = await lockLoanInScope(cx, orderId)
  const proof = await lockProof(cx.db, proofId)
  if (!proof) throw new Problem(NOT_FOUND)
  return { loan, proof }
}

/** Its value date is the time of the UTR. Who sent the proof in stands as who booked, who accepts as who confirmed. */
async function pay(
  cx: Cx,
  loan: Loan,
  proof: Proof,
  { repaymentType, amount, utr, upi, channel, bankCode }: Input,
  whenPaid: readonly WhenPaid[],
): Promise<string> {
  const fields = { repaymentType, amount, utr, upi, channel, bankCode }
  if (
    repaymentType === undefined ||
    amount === undefined ||
    utr === undefined ||
    upi === undefined ||
    channel === undefined ||
    bankCode === undefined
  ) {
    throw new Problem(
      INVALID_FIELDS,
      {},
      {
        fields: Object.fromEntries(
          Object.entries(fields).flatMap(([name, value]) =>
            value === undefined ? [[name, 'required']] : [],
          ),
        ),
      },
    )
  }
  // first: an order that was paid by this very transfer would else only say that it takes no payment
  await checkUtr(cx.db, utr.toUpperCase())
  const operator = { id: proof.submitted_by, name: proof.submitted_by_name }
  const record = await bookPayment(
    cx,
    loan,
    {
      orderId: loan.orderId,
      repaymentType,
      amount,
      utr,
      upi,
      channel,
      bankCode,
      payTime: new Date(proof.paid_at).toISOString(),
      operator,
    },
    'proof',
  )
  // booked, it stands in 43 with its way back
  await receiveMoney(cx, await lockLoan(cx.db, loan.orderId), record, whenPaid)
  return record.id
}
