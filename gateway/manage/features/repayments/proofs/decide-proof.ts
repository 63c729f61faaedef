/**
 * Accepts or rejects a proof, by another person than its submitter. Accepting books and receives
 * the payment in the same transaction, with the functions of booking and confirming. Both decisions
 * end the hold.
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { endProof } from '#gateway/manage/features/collection/public.ts'
import { bookPayment, checkUtr, lockLoanInScope } from '../booking/book-payment.ts'
import { receiveMoney } from '../booking/confirm-payment.ts'
import { type Loan, lockLoan } from '../loan-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { proofRow, proofsInScope } from './proof-rows.ts'
import { lockProof, type Proof, writeDecision } from './proof-store.ts'

type Input = InputOf<typeof call>

/** @throws Problem G404, G409, G-SELF, M-PRFST, M-REA, M-UTR, M-AMT, M-OPEN, O-STATE, G-FIELD */
export async function decideProof(
  tx: CommandTx,
  input: Input,
  whenPaid: readonly WhenPaid[],
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  const { proofId, result, reason } = input
  if (result === 'rejected' && reason === undefined)
    throw new Problem(REASON_REQUIRED, {}, { fields: { reason: 'required' } })
  const { loan, proof } = await lockBoth(tx, proofId)
  if (proof.state !== 'pending')
    throw new Problem(PROOF_STATE, { state: proof.state }, await proofRow(tx.db, actor, proofId))
  if (proof.version !== input.version)
    throw await changedByOther(tx.db, 'proof', proofId, await proofRow(tx.db, actor, proofId))
  const bySubmitter = proof.submitted_by === actor.userId
  if (bySubmitter) throw new Problem(OWN_REQUEST)
  const state = proofLifecycle.next(
    'pending',
    result === 'accepted'
      ? { type: 'ACCEPT', bySubmitter }
      : { type: 'REJECT', bySubmitter, reason: reason ?? '' },
  )
  const recordId = result === 'accepted' ? await pay(tx, loan, proof, input, whenPaid) : null
  await writeDecision(tx, proof, { state, reason: reason ?? null, recordId })
  await endProof(tx, { proofId })
  tx.log({
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
    tx.notify({
      userId: proof.submitted_by,
      kind: 'decision',
      titleKey: `repayments:notification.proof.${result}`,
      params: { proofId, orderId: proof.order_id },
      route: `/order_management/repay_proof?proofId=${proofId}`,
    })
  }
  return { proof: await proofRow(tx.db, actor, proofId), recordId }
}

/** Locks the order before the proof, as every command does. */
async function lockBoth(tx: CommandTx, proofId: string): Promise<{ loan: Loan; proof: Proof }> {
  const { rows } = await sql<{
    order_id: string
  }>`select f.order_id from repay_proof f where f.id = ${proofId} and ${proofsInScope(staff(tx.actor))}`.execute(
    tx.db,
  )
  const orderId = rows[0]?.order_id
  if (orderId === undefined) throw new Problem(NOT_FOUND)
  const loan = await lockLoanInScope(tx, orderId)
  const proof = await lockProof(tx.db, proofId)
  if (!proof) throw new Problem(NOT_FOUND)
  return { loan, proof }
}

/**
 * The value date is the time of the UTR. The submitter of the proof is recorded as the booker, the
 * reviewer who accepts it as the confirmer.
 */
async function pay(
  tx: CommandTx,
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
  // checked first: an order paid by this very transfer would otherwise be refused only because it
  // accepts no payment
  await checkUtr(tx.db, utr.toUpperCase())
  const operator = { id: proof.submitted_by, name: proof.submitted_by_name }
  const record = await bookPayment(
    tx,
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
  // after the booking the order is in 43 with its previous status stored
  await receiveMoney(tx, await lockLoan(tx.db, loan.orderId), record, whenPaid)
  return record.id
}
