import Type from 'typebox'
import {
  Day,
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { UTR_PATTERN, VPA_PATTERN } from './payment-patterns.ts'
import { EXPORT_FORMATS } from '#shared/exports/exports-api.ts'
import {
  BATCH_SHEET,
  LAUNCHED_TYPES,
  LEFT_OUT,
  WRITE_OFF_STATES,
  WRITE_OFF_TYPES,
} from './write-off-sets.ts'

/** Calls of write-offs. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

export const WriteOffRow = Type.Object({
  writeOffId: text,
  orderId: text,
  userId: text,
  userName: text,
  type: OneOf(WRITE_OFF_TYPES),
  repaymentDate: text,
  amount: int,
  outstandingBefore: int,
  resultStatus: Nullable(int),
  state: OneOf(WRITE_OFF_STATES),
  reason: maybe,
  operatorId: maybe,
  operatorName: text,
  confirmerId: maybe,
  confirmerName: maybe,
  recordId: maybe,
  approvalId: maybe,
  createTime: text,
  doneTime: maybe,
  version: int,
})

export const listWriteOffs = endpoint({
  method: 'GET',
  path: '/flat/list',
  exports: [{ code: 'flat_management:export' }],
  file: { path: '/export/collection/balance' },
  access: ['flat_management:view'],
  menu: 'flat_management',
  input: ListInput({
    writeOffId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    type: Type.Optional(OneOf(WRITE_OFF_TYPES)),
    state: Type.Optional(OneOf(WRITE_OFF_STATES)),
    operatorName: Type.Optional(Text(1, 64)),
    repaymentDateFrom: Type.Optional(Day()),
    repaymentDateTo: Type.Optional(Day()),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
  }),
  data: ListData(WriteOffRow),
  summary: 'Accounts that were settled in the books',
})

export const writeOffQuote = endpoint({
  method: 'GET',
  path: '/flat/quote',
  access: ['flat_management:launch', 'flat_management:operational'],
  menu: 'flat_management',
  input: Type.Object({ orderId: Id() }),
  data: Type.Object({
    orderId: text,
    version: int,
    status: int,
    userName: text,
    /**
     * Paise the order owes including today's fines, and the amount a payment in full would settle
     * it with.
     */
    outstanding: int,
    principal: int,
    due: int,
    /** Largest amount the caller may write off at once. */
    cap: int,
    /**
     * Why it cannot be written off now (a payment or reduction is open), and why it cannot be
     * settled by a payment (a payment is open).
     */
    isBusy: Type.Boolean(),
    isBeingPaid: Type.Boolean(),
    blacklisted: Type.Boolean(),
    today: text,
  }),
  summary: 'Cost of writing an order off, by part',
})

export const launchWriteOff = endpoint({
  method: 'POST',
  path: '/flat/launch',
  access: ['flat_management:launch', 'flat_management:operational'],
  menu: 'flat_management',
  input: Type.Object(
    {
      orderId: Id(),
      version: Version(),
      type: OneOf(LAUNCHED_TYPES),
      repaymentDate: Day(),
      amount: Paise({ minimum: 1, maximum: 10 ** 15 }),
      /** Required for an operational write-off. */
      reason: Type.Optional(Text(4, 200)),
      /** Required for a settlement by payment. */
      utr: Type.Optional(Type.String({ pattern: UTR_PATTERN })),
      upi: Type.Optional(Type.String({ pattern: `^-$|${VPA_PATTERN}` })),
      channel: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
      bankCode: Type.Optional(Type.String({ pattern: '^[A-Z]{4}$' })),
    },
    strict,
  ),
  data: WriteOffRow,
  audit: 'launchWriteOff',
  idempotency: 'required',
  summary:
    'Settles an account in the books: an operational one at once and for good, ' +
    'with a payment after another person confirms it',
})

/** Excluded orders with their reasons; at most 200 are named. */
const Excluded = {
  excluded: Type.Array(Type.Object({ orderId: text, why: OneOf(LEFT_OUT) })),
  excludedCount: int,
}

export const previewBatchWriteOff = endpoint({
  method: 'POST',
  path: '/flat/batch/preview',
  access: ['flat_management:batch'],
  menu: 'flat_management',
  /** Pasted text; a sheet is sent as a file beside it or instead. */
  input: Type.Object({ list: Type.Optional(Text(0, 200_000)) }, strict),
  files: { name: 'file', least: 0, most: 1, ...BATCH_SHEET },
  data: Type.Object({ orderIds: Type.Array(text), total: int, ...Excluded }),
  audit: 'previewWriteOff',
  summary: 'Orders of a list or sheet that can be written off, and why the others cannot',
})

export const writeOffTemplate = endpoint({
  method: 'GET',
  path: '/export/template/flat',
  access: ['flat_management:batch'],
  menu: 'flat_management',
  input: Type.Object({
    format: Type.Optional(OneOf(EXPORT_FORMATS)),
    /** Header of its column. */ title: Type.Optional(Text(1, 60)),
  }),
  // a file response has no envelope
  data: Type.Null(),
  summary: 'Template of the sheet for a batch write-off',
})

export const batchWriteOff = endpoint({
  method: 'POST',
  path: '/flat/batch',
  access: ['flat_management:batch'],
  menu: 'flat_management',
  input: Type.Object(
    {
      orderIds: Type.Array(Id(), { minItems: 1, maxItems: 5_000, uniqueItems: true }),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: Type.Object({
    approvalId: text,
    count: int,
    total: int,
    ...Excluded,
  }),
  audit: 'batchWriteOff',
  idempotency: 'required',
  summary: 'Requests the write-off of many orders; another person approves it, the claims are kept',
})
