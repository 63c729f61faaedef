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
import * as api from '#shared/repayments/repayments-api.ts'
import * as reductions from '#shared/repayments/reductions-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import * as writeOffs from '#shared/repayments/write-offs-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveMachine, serveMachineAfter } from '#gateway/manage/kernel/machine.ts'
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
import type { WhenPaid } from './settle-payment.ts'
import { askReversal, previewReversal } from './reversal/reverse-payment.ts'
import { askCure } from './settlement/cure-loan.ts'
import { askBatchWriteOff, previewBatchWriteOff } from './writeoffs/batch-write-off.ts'
import { launchWriteOff, quoteWriteOff } from './writeoffs/launch-write-off.ts'
import { writeOffList } from './writeoffs/write-off-rows.ts'
import { writeOffTemplate } from './writeoffs/write-off-template.ts'

export interface RepaymentsRoutesOptions {
  /** Runs inside the transaction of a payment that was counted against a loan. */
  whenPaid: readonly WhenPaid[]
}

/** Files inside the JSON grow by a third. */
const INBOUND_FILES = Math.ceil((PROOF_FILES.most * PROOF_FILES.bytes * 4) / 3) + 65_536

export function repaymentsRoutes(
  app: FastifyInstance,
  house: House,
  { whenPaid }: RepaymentsRoutesOptions,
): void {
  serveQuery(app, house, api.listPlans, ({ db, actor }, input) =>
    planList(db, house.secrets, actor, input),
  )
  serveQuery(app, house, api.planOptions, ({ db }) => findPlanOptions(db))
  serveQuery(app, house, api.planDetail, ({ db, actor }, { planId }) => findPlan(db, actor, planId))
  serveQuery(app, house, api.quotePayment, ({ db, actor }, input) => quotePayment(db, actor, input))
  serveQuery(app, house, api.listRecords, ({ db, actor }, input) => recordList(db, actor, input))
  serveQuery(app, house, api.recordDetail, ({ db, actor }, { recordId }) =>
    findRecord(db, actor, recordId),
  )
  serveQuery(app, house, api.previewPayment, ({ actor }, input) =>
    previewPayment(house, actor, input, whenPaid),
  )
  serveQuery(app, house, api.previewConfirmation, ({ actor }, input) =>
    previewConfirm(house, actor, input, whenPaid),
  )
  serveCommand(app, house, api.addRecord, async (cx, input) => ({
    recordId: (await addPayment(cx, input)).id,
  }))
  serveCommand(app, house, api.exitCoolingOff, async (cx, input) => ({
    recordId: (await addPayment(cx, { ...input, repaymentType: 'coolingOff' })).id,
  }))
  serveCommand(app, house, api.confirmRecord, async (cx, input) => {
    await confirmPayment(cx, input, whenPaid)
    // it was there a moment ago, under this transaction's lock
    return (await recordRow<DataOf<typeof api.confirmRecord>>(cx.db, input.recordId)) as DataOf<
      typeof api.confirmRecord
    >
  })
  serveQuery(app, house, api.previewReversal, ({ actor }, input) =>
    previewReversal(house, actor, input, whenPaid),
  )
  serveCommand(app, house, api.reverseRecord, async (cx, input) => ({
    approvalId: await askReversal(cx, input),
  }))
  serveCommand(app, house, cureOrder, async (cx, input) => ({
    approvalId: await askCure(cx, input),
  }))
  serveQuery(app, house, reductions.listReductions, ({ db, actor }, input) =>
    reductionList(db, actor, input),
  )
  serveQuery(app, house, reductions.reductionLimit, ({ db, actor }, { orderId }) =>
    reductionLimit(db, actor, orderId),
  )
  serveCommand(app, house, reductions.launchReduction, (cx, input) => launchReduction(cx, input))
  serveQuery(app, house, reductions.previewDecision, ({ db, actor }, input) =>
    previewDecision(db, actor, input),
  )
  serveCommand(app, house, reductions.decideReductions, (cx, input) => decideReductions(cx, input))
  serveCommand(app, house, reductions.withdrawReduction, (cx, input) =>
    withdrawReduction(cx, input),
  )
  serveCommand(app, house, reductions.revokeReduction, (cx, input) =>
    revokeReduction(cx, input, whenPaid),
  )
  serveQuery(app, house, writeOffs.listWriteOffs, ({ db, actor }, input) =>
    writeOffList(db, actor, input),
  )
  serveQuery(app, house, writeOffs.writeOffQuote, ({ db, actor }, { orderId }) =>
    quoteWriteOff(db, actor, orderId),
  )
  serveCommand(app, house, writeOffs.launchWriteOff, (cx, input) =>
    launchWriteOff(cx, input, whenPaid),
  )
  serveUpload(app, house, writeOffs.previewBatchWriteOff, previewBatchWriteOff)
  serveQuery(app, house, writeOffs.writeOffTemplate, (_, input) =>
    Promise.resolve(writeOffTemplate(input)),
  )
  serveCommand(app, house, writeOffs.batchWriteOff, (cx, input) => askBatchWriteOff(cx, input))
  serveCommand(app, house, sendLinkCall, sendLink)
  serveQuery(app, house, proofs.listProofs, ({ db, actor }, input) => proofList(db, actor, input))
  serveCommand(app, house, proofs.proofFile, (cx, input) => openProofFile(cx, input))
  serveUpload(app, house, proofs.addProof, async (cx, input, files) => ({
    proofId: await addProof(cx, input, files),
  }))
  serveCommand(app, house, proofs.decideProof, (cx, input) => decideProof(cx, input, whenPaid))
  serveMachineAfter(
    app,
    house,
    proofs.inboundProof,
    takeProof,
    async (cx, input) => ({ proofId: await receiveProof(cx, input) }),
    INBOUND_FILES,
  )
  serveQuery(app, house, ledgerProofCall, ({ db }) => ledgerProof(db))
  serveCommand(app, house, proveLedgerCall, async (cx) => ({ jobId: await proveLedger(cx) }))
  serveMachine(app, house, inboundPayment, (cx, input) => receivePayment(cx, input, whenPaid))
}
