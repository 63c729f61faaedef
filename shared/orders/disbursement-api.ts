import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Time, Version } from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { UTR_PATTERN } from '#shared/repayments/payment-patterns.ts'
import { listOrders, OrderRow } from './orders-api.ts'
import { TransferRow } from './order-parts.ts'

/** Loans from disbursement onward, payout attempts, and failed disbursements. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

/** Statuses of orders that were paid out or are about to be. */
export const LOAN_STATUSES = [29, 30, 31, 40, 41, 43, 50, 80, 90, 100, 110] as const
export const TRANSFER_TYPES = ['IMPS', 'NEFT', 'RTGS', 'UPI'] as const
/** How a failed transfer is handled (dictionary `handling_method`). */
export const HANDLING_METHODS = [
  'retrySame',
  'changeVendor',
  'customerUpdatesAccount',
  'manualTransfer',
  'cancel',
] as const
export type HandlingMethod = (typeof HANDLING_METHODS)[number]
/** Who must act before a failed disbursement goes on. */
export const PAYOUT_WAITS_FOR = ['staff', 'customer', 'approver'] as const
/** Vendor code of a transfer that staff made at the bank by hand. */
export const MANUAL_VENDOR = 'manual'
export const TRANSFER_DOUBTS = ['lost', 'late'] as const
export const TRANSFER_STATES = ['inProgress', 'success', 'fail'] as const

/** An order with its last transfer. */
export const LoanRow = Type.Object({ ...OrderRow.properties, vendorCode: maybe, payState: maybe })

export const listLoans = endpoint({
  method: 'GET',
  path: '/loan/list',
  access: ['loan_list:view'],
  menu: 'loan_list',
  exports: [{ code: 'loan_list:export' }],
  file: { path: '/export/list/loanExport' },
  input: Type.Object({
    ...listOrders.input.properties,
    disburseTimeFrom: Type.Optional(Time()),
    disburseTimeTo: Type.Optional(Time()),
    vendorCode: Type.Optional(Id()),
  }),
  data: ListData(LoanRow),
  summary: 'Loans from their disbursement on, with the last transfer',
})

export const listTransfers = endpoint({
  method: 'GET',
  path: '/loan/transfer/list',
  access: ['loan_list:transfer'],
  menu: 'loan_list',
  exports: [{ code: 'loan_list:payout' }],
  file: { path: '/export/list/payoutExport', when: { type: ['transfer'] } },
  input: ListInput({
    orderId: Type.Optional(Id()),
    platformOrderNo: Type.Optional(Id()),
    vendorOrderNo: Type.Optional(Id()),
    vendorCode: Type.Optional(Id()),
    transferType: Type.Optional(OneOf(TRANSFER_TYPES)),
    payState: Type.Optional(OneOf(TRANSFER_STATES)),
    /** Only transfers with two results of which nobody found out which is true. */
    conflict: Type.Optional(Type.Boolean()),
    /** Only transfers whose money left beside the loan and has not come back. */
    stray: Type.Optional(Type.Boolean()),
    /**
     * Only transfers under way that people may end: `lost`, their vendor does not know them any more;
     * `late`, their result is overdue.
     */
    doubt: Type.Optional(OneOf(TRANSFER_DOUBTS)),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
  }),
  /** `waits`: the order waits on this transfer; it failed and no other attempt followed. */
  data: ListData(Type.Object({ ...TransferRow.properties, userId: text, waits: Type.Boolean() })),
  summary: 'Attempts to pay out',
})

/** Whether a failed disbursement can be sent again, else the first reason why not. */
export const RESENDS = [
  'ready',
  'notFailed',
  'notProven',
  'attemptsSpent',
  'cardNotBound',
  'nameSimilarity',
  'kfsNotAccepted',
  'blacklisted',
  'productClosed',
  'quotaExceeded',
] as const

/** A failed disbursement: the order, its last transfer, and what a retry requires. */
export const WaitRow = Type.Object({
  ...OrderRow.properties,
  transferId: text,
  transferVersion: int,
  transferType: text,
  handlingMethod: maybe,
  vendorCode: text,
  attempts: int,
  failTime: text,
  payeeName: text,
  account: text,
  bindState: OneOf(['bound', 'notBound']),
  /** Basis points; null = not compared. */
  nameSimilarity: Nullable(int),
  resend: OneOf(RESENDS),
})

export const listWaiting = endpoint({
  method: 'GET',
  path: '/loan/wait/list',
  access: ['wait_relent:view'],
  menu: 'wait_relent',
  exports: [{ code: 'wait_relent:export' }],
  file: { path: '/export/list/payoutExport', when: { type: ['failure'] } },
  input: ListInput({
    orderId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    failReason: Type.Optional(Text(1, 100)),
    handlingMethod: Type.Optional(OneOf(HANDLING_METHODS)),
    waitsFor: Type.Optional(OneOf(PAYOUT_WAITS_FOR)),
    attemptFrom: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    attemptTo: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    failTimeFrom: Type.Optional(Time()),
    failTimeTo: Type.Optional(Time()),
    vendorCode: Type.Optional(Id()),
  }),
  data: ListData(WaitRow),
  summary: 'Failed disbursements, the oldest first',
})

export const payoutVendors = endpoint({
  method: 'GET',
  path: '/loan/vendors',
  access: ['loan_list:view', 'wait_relent:view'],
  menu: 'loan_list',
  input: Type.Object({ orderId: Type.Optional(Id()) }),
  /**
   * `usable`: pays out for an app now. Of an order with transfers: `current` gets its next one,
   * `other` is another vendor of its app than that of the last one; null: there is none.
   */
  data: Type.Object({
    usable: Type.Array(text),
    all: Type.Array(text),
    current: maybe,
    other: maybe,
  }),
  summary: 'Payout vendors that are used, and those there are transfers of',
})

const orderIds = Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true })

export const previewFailed = endpoint({
  method: 'POST',
  path: '/loan/wait/preview',
  access: ['wait_relent:redisburse', 'wait_relent:cancel', 'wait_relent:handle'],
  menu: 'wait_relent',
  input: Type.Object({ orderIds, action: OneOf(['redisburse', 'cancel']) }, strict),
  data: Type.Object({
    ready: Type.Array(text),
    /** Paise to be paid out or given up. */
    amount: int,
    /** Above payout.checkAbove: each needs a second person's approval. */
    toApprove: Type.Array(text),
    toApproveAmount: int,
    /** Why the other rows are excluded; rows beyond the caller's scope are omitted. */
    excluded: Type.Array(Type.Object({ orderId: text, reason: text })),
  }),
  summary: 'Effects of a bulk action on failed disbursements, before it runs',
})

export const redisburse = endpoint({
  method: 'POST',
  path: '/loan/redisburse',
  access: ['wait_relent:redisburse'],
  menu: 'wait_relent',
  input: Type.Object(
    {
      orderIds,
      vendorCode: Type.Optional(Id()),
      transferType: Type.Optional(OneOf(TRANSFER_TYPES)),
    },
    strict,
  ),
  /** `asked`: sent to approval, because the amount is above payout.checkAbove. */
  data: Type.Object({ ...BulkData().properties, asked: Type.Array(text) }),
  audit: 'redisburse',
  idempotency: 'required',
  summary: 'Sends failed disbursements again, each as a new transfer: 31 → 29',
})

export const cancelDisbursement = endpoint({
  method: 'POST',
  path: '/loan/cancelDisburse',
  access: ['wait_relent:cancel'],
  menu: 'wait_relent',
  input: Type.Object({ orderIds, reason: Text(4, 200) }, strict),
  data: BulkData(),
  audit: 'cancel',
  idempotency: 'required',
  summary: 'Ends failed disbursements: 31 → 70, only when no money was paid out',
})

export const handleTransfer = endpoint({
  method: 'POST',
  path: '/loan/transfer/handle',
  access: ['wait_relent:handle'],
  menu: 'wait_relent',
  input: Type.Object(
    {
      transferId: Id(),
      version: Version(),
      handlingMethod: OneOf(HANDLING_METHODS),
      /** Required when the money was sent by hand. */
      utr: Type.Optional(Type.String({ pattern: UTR_PATTERN })),
      /** Also the reason for giving up, where it is required. */
      remark: Type.Optional(Text(4, 200)),
    },
    strict,
  ),
  /** `asked`: sent to approval, because the amount is above payout.checkAbove. */
  data: Type.Object({ ...TransferRow.properties, asked: Type.Boolean() }),
  audit: 'handle',
  summary:
    'Handles a failed transfer: retry, other vendor, by hand, request another account, or end it',
})

/** What became of the money of a transfer with two results. */
export const CONFLICT_OUTCOMES = ['paid', 'notPaid'] as const

export const resolveTransfer = endpoint({
  method: 'POST',
  path: '/loan/transfer/resolve',
  access: ['wait_relent:handle'],
  menu: 'wait_relent',
  input: Type.Object(
    {
      transferId: Id(),
      version: Version(),
      outcome: OneOf(CONFLICT_OUTCOMES),
      /** Of the transfer by hand, when a loan runs whose money did not arrive. */
      utr: Type.Optional(Type.String({ pattern: UTR_PATTERN })),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: Type.Object({ approvalId: text }),
  audit: 'resolveTransfer',
  idempotency: 'required',
  summary:
    'Decides which of two contradicting results of a transfer holds; another person approves it',
})

/** What became of the money of a transfer whose result does not come. */
export const END_OUTCOMES = ['paid', 'failed'] as const

export const endTransfer = endpoint({
  method: 'POST',
  path: '/loan/transfer/end',
  access: ['wait_relent:handle'],
  menu: 'wait_relent',
  input: Type.Object(
    {
      transferId: Id(),
      version: Version(),
      outcome: OneOf(END_OUTCOMES),
      /** Of the money that left, as the bank shows it. */
      utr: Type.Optional(Type.String({ pattern: UTR_PATTERN })),
      /** Source of the statement; the reason of the failure. */
      reason: Text(4, 200),
    },
    strict,
  ),
  data: Type.Object({ approvalId: text }),
  audit: 'endTransfer',
  idempotency: 'required',
  summary: 'Ends a transfer whose result does not come, paid or failed; another person approves it',
})

export const bookStrayReturn = endpoint({
  method: 'POST',
  path: '/loan/transfer/return',
  access: ['wait_relent:handle'],
  menu: 'wait_relent',
  input: Type.Object(
    {
      transferId: Id(),
      version: Version(),
      /** Paise, at most what has not come back. */
      amount: Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 }),
      /** Of the transfer back. */
      utr: Type.String({ pattern: UTR_PATTERN }),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: Type.Object({ approvalId: text }),
  audit: 'bookStrayReturn',
  idempotency: 'required',
  summary: 'Books the return of money paid out that belongs to no loan; another person approves it',
})
