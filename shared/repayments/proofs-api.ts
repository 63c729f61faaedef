import Type from 'typebox'
import {
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { FILE_KINDS } from '#shared/kernel/file-kind.ts'
import { InlineFiles } from '#shared/kernel/kept-file.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { UTR_PATTERN, VPA_PATTERN } from './payment-patterns.ts'
import { STAFF_REPAYMENT_TYPES } from './payment-sets.ts'
import { PROOF_FILES, PROOF_STATES, PROOF_SUBMITTERS } from './proof-sets.ts'

/** Calls of payment proofs. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

export const ProofRow = Type.Object({
  proofId: text,
  orderId: text,
  userId: text,
  userName: text,
  amount: int,
  utr: text,
  payTime: text,
  channel: int,
  fileIds: Type.Array(text),
  /** One per file, in the same order. */
  fileKinds: Type.Array(OneOf(FILE_KINDS)),
  submitter: OneOf(PROOF_SUBMITTERS),
  /** Null when a customer submitted it; `submitName` is then the app's. */
  submitById: maybe,
  submitName: text,
  state: OneOf(PROOF_STATES),
  decideById: maybe,
  decideBy: maybe,
  decideTime: maybe,
  reason: maybe,
  /** Another payment has its UTR: it cannot be accepted. */
  duplicate: Type.Boolean(),
  /** That payment, for users who may see every order. */
  duplicateOf: Nullable(Type.Object({ recordId: text, orderId: text })),
  /** The payment booked from it. */
  recordId: maybe,
  createTime: text,
  version: int,
})

export const listProofs = endpoint({
  method: 'GET',
  path: '/repay/proof/list',
  exports: [{ code: 'repay_proof:export' }],
  file: { path: '/export/list/repayExport', when: { type: ['proof'] } },
  access: ['repay_proof:view'],
  menu: 'repay_proof',
  input: ListInput({
    proofId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    utr: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{4,22}$' })),
    state: Type.Optional(OneOf(PROOF_STATES)),
    submitter: Type.Optional(OneOf(PROOF_SUBMITTERS)),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
  }),
  data: ListData(ProofRow),
  summary: 'Payment proofs: pending ones first, oldest first',
})

export const proofFile = endpoint({
  method: 'GET',
  path: '/repay/proof/file',
  access: ['repay_proof:view'],
  menu: 'repay_proof',
  input: Type.Object({ proofId: Id(), fileId: Id() }),
  // a file response without envelope: a picture with a watermark, a PDF as a download
  data: Type.Unknown(),
  audit: 'proofFile',
  summary: 'A file of a proof; each opening logged',
})

const ReportedPayment = {
  orderId: Id(),
  amount: Paise({ minimum: 1, maximum: 10 ** 15 }),
  utr: Type.String({ pattern: UTR_PATTERN }),
  /** The time of the UTR: its IST day is the value date. */
  payTime: Time(),
  channel: Type.Integer({ minimum: 1, maximum: 4 }),
}

export const addProof = endpoint({
  method: 'POST',
  path: '/repay/proof/add',
  access: ['repay_proof:add', 'pedding_list:proof'],
  menu: 'repay_proof',
  input: Type.Object(ReportedPayment, strict),
  files: { name: 'files', least: 1, ...PROOF_FILES },
  data: Type.Object({ proofId: text }),
  audit: 'addProof',
  summary: 'A receipt the borrower sent; collection of their cases waits until it is checked',
})

export const decideProof = endpoint({
  method: 'POST',
  path: '/repay/proof/decide',
  access: ['repay_proof:decide'],
  menu: 'repay_proof',
  /** Accepted: the payment as the bank shows it. Rejected: the reason. */
  input: Type.Object(
    {
      proofId: Id(),
      version: Version(),
      result: OneOf(['accepted', 'rejected']),
      reason: Type.Optional(Text(4, 200)),
      repaymentType: Type.Optional(OneOf(STAFF_REPAYMENT_TYPES)),
      amount: Type.Optional(ReportedPayment.amount),
      utr: Type.Optional(ReportedPayment.utr),
      upi: Type.Optional(Type.String({ pattern: `^-$|${VPA_PATTERN}` })),
      channel: Type.Optional(ReportedPayment.channel),
      bankCode: Type.Optional(Type.String({ pattern: '^[A-Z]{4}$' })),
    },
    strict,
  ),
  data: Type.Object({ proof: ProofRow, recordId: maybe }),
  audit: 'decideProof',
  idempotency: 'required',
  summary: 'Accepts a proof as a payment, or rejects it; refused for the person who submitted it',
})

/** A signed call of the customer app; shared/orders/inbound-api.ts describes the signature. */
export const inboundProof = endpoint({
  method: 'POST',
  path: '/inbound/proof',
  access: { machine: 'proof' },
  input: Type.Object(
    { ...ReportedPayment, files: InlineFiles({ least: 1, ...PROOF_FILES }) },
    strict,
  ),
  data: Type.Object({ proofId: text }),
  audit: 'addProof',
  summary: 'A receipt the borrower sends from the app',
})
