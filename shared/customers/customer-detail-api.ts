import Type, { type Static } from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { BlacklistRow } from './customer-list-api.ts'
import { CUSTOMER_SECTIONS, MESSAGE_STATES, TIMELINE_KINDS } from './customer-sets.ts'
import { PLAN_KINDS } from '#shared/orders/order-parts.ts'
import { CustomerSections } from './customer-sections.ts'
import { MOST_SLOTS, NoContactSlot } from './no-contact.ts'

/**
 * One customer as far as the caller may see it, section by section. The server masks personal
 * values.
 */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const flag = Type.Boolean()
const { basic, contact, kyc, bankCard, photos, credit, device } = CustomerSections.properties

/** `mayOpen`: the record is in the caller's scope and menus. */
export const CustomerReview = Type.Object({
  reviewId: text,
  orderId: text,
  state: text,
  machineState: maybe,
  machineTime: maybe,
  needManual: flag,
  manualResult: maybe,
  rejectCode: maybe,
  reviewerName: maybe,
  queuedTime: maybe,
  finishTime: maybe,
  mayOpen: flag,
})
export const CustomerOrder = Type.Object({
  orderId: text,
  status: int,
  tags: Type.Array(text),
  productName: text,
  appName: text,
  channelName: text,
  amount: int,
  arrivalAmount: int,
  serviceCharge: int,
  interest: int,
  contractAmount: int,
  tenureDays: int,
  term: int,
  outstanding: int,
  overdueDays: int,
  dueTime: maybe,
  createTime: text,
  disburseTime: maybe,
  closeTime: maybe,
  closeType: text,
  failReason: maybe,
  mayOpen: flag,
  /** The newest one that the caller may open. */
  reviewId: maybe,
})
export const CustomerPlan = Type.Object({
  planId: text,
  orderId: text,
  serialNo: int,
  kind: OneOf(PLAN_KINDS),
  dueTime: text,
  amountDue: int,
  overdueFine: int,
  paidAmount: int,
  outstanding: int,
  paymentStatus: text,
  overdueDays: int,
})
export const CustomerRecord = Type.Object({
  recordId: text,
  orderId: maybe,
  planId: maybe,
  amount: int,
  payState: text,
  repaymentType: text,
  payTime: text,
  channel: int,
  utr: maybe,
  upi: maybe,
  flag: maybe,
  operatorName: text,
  reversedTime: maybe,
})
export const CustomerCase = Type.Object({
  caseId: text,
  orderId: text,
  stageId: text,
  state: text,
  overdueDays: int,
  outstanding: int,
  collectorName: maybe,
  allocationTime: maybe,
  ptpTime: maybe,
  ptpAmount: Nullable(int),
  ptpState: maybe,
  endTime: maybe,
})
export const CustomerFollow = Type.Object({
  followId: text,
  caseId: text,
  createTime: text,
  contactWay: text,
  reachable: flag,
  contactResult: int,
  willingness: Nullable(int),
  ptpTime: maybe,
  ptpAmount: Nullable(int),
  remark: text,
  operatorName: text,
})
export const CustomerTicket = Type.Object({
  feedbackId: text,
  type: int,
  queue: text,
  progress: text,
  level: int,
  orderId: maybe,
  processorName: maybe,
  createTime: text,
  dueTime: text,
  finishTime: maybe,
})
/**
 * `recipient` is the masked address at the time of sending; null for messages from before it was
 * stored.
 */
export const CustomerMessage = Type.Object({
  messageId: text,
  time: text,
  template: text,
  way: text,
  recipient: maybe,
  state: OneOf(MESSAGE_STATES),
})
/** `code` is an order's status, a ticket's type or an entry's source. */
export const CustomerStep = Type.Object({
  time: text,
  kind: OneOf(TIMELINE_KINDS),
  ref: text,
  code: maybe,
  by: maybe,
})

export const customerDetail = endpoint({
  method: 'POST',
  path: '/userInfo/detail',
  access: ['info:view'],
  menu: 'info',
  input: Type.Object(
    {
      userId: Id(),
      sections: Type.Array(OneOf(CUSTOMER_SECTIONS), {
        minItems: 1,
        maxItems: CUSTOMER_SECTIONS.length,
      }),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({
    userId: text,
    name: text,
    customerClass: text,
    certified: flag,
    blacklisted: flag,
    entryCount: int,
    orderCount: int,
    settlementCount: int,
    registerTime: text,
    lastActiveTime: text,
    /** When their personal data was erased; null = it was not. */
    erasedTime: maybe,
    version: int,
    /** Sections the caller may request. */
    granted: Type.Array(OneOf(CUSTOMER_SECTIONS)),
    // each is present only when requested and granted
    basic: Type.Optional(basic),
    contact: Type.Optional(contact),
    kyc: Type.Optional(kyc),
    bankCard: Type.Optional(bankCard),
    photos: Type.Optional(photos),
    credit: Type.Optional(credit),
    device: Type.Optional(device),
    review: Type.Optional(Type.Array(CustomerReview)),
    orders: Type.Optional(Type.Array(CustomerOrder)),
    plans: Type.Optional(Type.Array(CustomerPlan)),
    records: Type.Optional(Type.Array(CustomerRecord)),
    /** Surplus paise to be refunded, over the orders in the caller's scope; part of `records`. */
    customerCredit: Type.Optional(int),
    cases: Type.Optional(
      Type.Object({ cases: Type.Array(CustomerCase), follows: Type.Array(CustomerFollow) }),
    ),
    tickets: Type.Optional(Type.Array(CustomerTicket)),
    blacklist: Type.Optional(Type.Array(BlacklistRow)),
    messages: Type.Optional(Type.Array(CustomerMessage)),
    timeline: Type.Optional(Type.Array(CustomerStep)),
  }),
  audit: 'customerOpen',
  summary: 'Sections of a customer; each opening is logged',
})
export type CustomerDetail = Static<typeof customerDetail.data>

export const editContact = endpoint({
  method: 'POST',
  path: '/userInfo/editContact',
  access: ['info:edit'],
  menu: 'info',
  input: Type.Object(
    {
      userId: Id(),
      version: Version(),
      // omitted fields stay unchanged
      phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
      email: Type.Optional(
        Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@]+\\.[^\\s@]{2,}$', maxLength: 120 }),
      ),
      residentialAddress: Type.Optional(Text(5, 300)),
      city: Type.Optional(Text(2, 60)),
      postcode: Type.Optional(Type.String({ pattern: '^[1-9]\\d{5}$' })),
      /** Replaces all of them: an empty list removes the no-contact times. */
      noContact: Type.Optional(Type.Array(NoContactSlot, { maxItems: MOST_SLOTS })),
      dnd: Type.Optional(flag),
      reason: Text(4, 200),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({ userId: text, version: int, fields: Type.Array(text) }),
  audit: 'editContact',
  summary: 'Corrects how and when a customer is reached',
})
