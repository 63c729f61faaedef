import type { FastifyInstance } from 'fastify'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  ledgerProof as ledgerProofCall,
  proveLedger as proveLedgerCall,
} from '#shared/repayments/ledger-proof-api.ts'
import { sendLink as sendLinkCall } from '#shared/repayments/links-api.ts'
import * as proofs from '#shared/repayments/proofs-api.ts'
import { PROOF_FILES } from '#shared/repayments/proof-sets.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import * as reductions from '#shared/repayments/reductions-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import * as writeOffs from '#shared/repayments/write-offs-api.ts'
import { oneColumnSheet } from '#gateway/manage/features/exports/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachine, serveMachineAfter } from '#gateway/manage/kernel/machine.ts'
import { channelOf } from '#gateway/manage/kernel/machine-caller.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { addPayment } from './booking/book-payment.ts'
import { confirmPayment } from './booking/confirm-payment.ts'
import { previewConfirm, previewPayment } from './booking/preview-payment.ts'
import { quotePayment } from './booking/quote-payment.ts'
import { ledgerProof } from './ledger/proof-queries.ts'
import { proveLedger } from './ledger/prove-ledger.ts'
import { recordRow } from './lists/payment-rows.ts'
import { findPlan } from './lists/plan-detail.ts'
import { findPlanOptions, planList } from './lists/plan-list.ts'
import { findRecord, recordList } from './lists/record-list.ts'
import { sendLink } from './links/send-link.ts'
import { addProof, receiveProof, takeProof } from './proofs/add-proof.ts'
import { decideProof } from './proofs/decide-proof.ts'
import { openProofFile } from './proofs/open-proof-file.ts'
import { proofList } from './proofs/proof-rows.ts'
import { receivePayment } from './receive-payment.ts'
import { decideReductions } from './reductions/decide-reductions.ts'
import { previewDecision } from './reductions/preview-decision.ts'
import { revokeReduction, withdrawReduction } from './reductions/end-reduction.ts'
import { launchReduction } from './reductions/launch-reduction.ts'
import { reductionLimit } from './reductions/reduction-limit.ts'
import { reductionList } from './reductions/reduction-rows.ts'
import type { WhenPaid } from './paid-order.ts'
import { requestKeep } from './reversal/record-conflict.ts'
import { requestReversal, previewReversal } from './reversal/request-reversal.ts'
import { requestCure } from './settlement/cure-loan.ts'
import { requestBatchWriteOff, previewBatchWriteOff } from './writeoffs/batch-write-off.ts'
import { launchWriteOff, quoteWriteOff } from './writeoffs/launch-write-off.ts'
import { writeOffList } from './writeoffs/write-off-rows.ts'

export interface RepaymentsRoutesOptions {
  /** Runs in the transaction of a payment that was counted against a loan. */
  whenPaid: readonly WhenPaid[]
}

/** Base64 makes files in JSON larger by a third. */
const INBOUND_FILES = Math.ceil((PROOF_FILES.most * PROOF_FILES.bytes * 4) / 3) + 65_536

export function repaymentsRoutes(
  app: FastifyInstance,
  context: AppContext,
  { whenPaid }: RepaymentsRoutesOptions,
): void {
  serveQuery(app, context, api.listPlans, ({ db, actor }, input) =>
    planList(db, context.secrets, actor, input),
  )
  serveQuery(app, context, api.planOptions, ({ db }) => findPlanOptions(db))
  serveQuery(app, context, api.planDetail, ({ db, actor }, { planId }) =>
    findPlan(db, actor, planId),
  )
  serveQuery(app, context, api.quotePayment, ({ db, actor }, input) =>
    quotePayment(db, actor, input),
  )
  serveQuery(app, context, api.listRecords, ({ db, actor }, input) => recordList(db, actor, input))
  serveQuery(app, context, api.recordDetail, ({ db, actor }, { recordId }) =>
    findRecord(db, actor, recordId),
  )
  serveQuery(app, context, api.previewPayment, ({ actor }, input) =>
    previewPayment(context, actor, input, whenPaid),
  )
  serveQuery(app, context, api.previewConfirmation, ({ actor }, input) =>
    previewConfirm(context, actor, input, whenPaid),
  )
  serveCommand(app, context, api.addRecord, async (tx, input) => ({
    recordId: (await addPayment(tx, input)).id,
  }))
  serveCommand(app, context, exitCoolingOff, async (tx, input) => ({
    recordId: (await addPayment(tx, { ...input, repaymentType: 'coolingOff' })).id,
  }))
  serveCommand(app, context, api.confirmRecord, async (tx, input) => {
    await confirmPayment(tx, input, whenPaid)
    // read before under the lock of this transaction, so it exists
    return (await recordRow<DataOf<typeof api.confirmRecord>>(tx.db, input.recordId)) as DataOf<
      typeof api.confirmRecord
    >
  })
  serveQuery(app, context, api.previewReversal, ({ actor }, input) =>
    previewReversal(context, actor, input, whenPaid),
  )
  serveCommand(app, context, api.keepRecord, requestKeep)
  serveCommand(app, context, api.reverseRecord, async (tx, input) => ({
    approvalId: await requestReversal(tx, input),
  }))
  serveCommand(app, context, cureOrder, async (tx, input) => ({
    approvalId: await requestCure(tx, input),
  }))
  serveQuery(app, context, reductions.listReductions, ({ db, actor }, input) =>
    reductionList(db, actor, input),
  )
  serveQuery(app, context, reductions.reductionLimit, ({ db, actor }, { orderId }) =>
    reductionLimit(db, actor, orderId),
  )
  serveCommand(app, context, reductions.launchReduction, (tx, input) => launchReduction(tx, input))
  serveQuery(app, context, reductions.previewDecision, ({ db, actor }, input) =>
    previewDecision(db, actor, input),
  )
  serveCommand(app, context, reductions.decideReductions, (tx, input) =>
    decideReductions(tx, input),
  )
  serveCommand(app, context, reductions.withdrawReduction, (tx, input) =>
    withdrawReduction(tx, input),
  )
  serveCommand(app, context, reductions.revokeReduction, (tx, input) =>
    revokeReduction(tx, input, whenPaid),
  )
  serveQuery(app, context, writeOffs.listWriteOffs, ({ db, actor }, input) =>
    writeOffList(db, actor, input),
  )
  serveQuery(app, context, writeOffs.writeOffQuote, ({ db, actor }, { orderId }) =>
    quoteWriteOff(db, actor, orderId),
  )
  serveCommand(app, context, writeOffs.launchWriteOff, (tx, input) =>
    launchWriteOff(tx, input, whenPaid),
  )
  serveUpload(app, context, writeOffs.previewBatchWriteOff, previewBatchWriteOff)
  serveQuery(app, context, writeOffs.writeOffTemplate, (_, input) =>
    Promise.resolve(oneColumnSheet('batch-write-off', input)),
  )
  serveCommand(app, context, writeOffs.batchWriteOff, (tx, input) =>
    requestBatchWriteOff(tx, input),
  )
  serveCommand(app, context, sendLinkCall, sendLink)
  serveQuery(app, context, proofs.listProofs, ({ db, actor }, input) => proofList(db, actor, input))
  serveCommand(app, context, proofs.proofFile, (tx, input) => openProofFile(tx, input))
  serveUpload(app, context, proofs.addProof, async (tx, input, files) => ({
    proofId: await addProof(tx, input, files),
  }))
  serveCommand(app, context, proofs.decideProof, (tx, input) => decideProof(tx, input, whenPaid))
  serveMachineAfter(
    app,
    context,
    proofs.inboundProof,
    takeProof,
    async (tx, input) => ({ proofId: await receiveProof(tx, input) }),
    INBOUND_FILES,
  )
  serveQuery(app, context, ledgerProofCall, ({ db }) => ledgerProof(db))
  serveCommand(app, context, proveLedgerCall, async (tx) => ({ jobId: await proveLedger(tx) }))
  serveMachine(app, context, inboundPayment, (tx, input, caller) =>
    receivePayment(tx, input, whenPaid, channelOf(caller)),
  )
}
