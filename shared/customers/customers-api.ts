import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { NoContactSlot } from './no-contact.ts'

/** Sections of a customer for other screens; the server masks every personal value. */
const text = Type.String()
const maybe = Nullable(text)
const int = Nullable(Type.Integer())

export const PHOTO_KINDS = ['pan', 'aadhaarFront', 'aadhaarBack', 'liveFace'] as const
export const REVEAL_FIELDS = [
  'phone',
  'pan',
  'account',
  'upi',
  'email',
  'address',
  'contactPhone',
] as const

/** Buttons that reveal a personal value, per page that shows the customer. */
export const REVEAL_CODES = [
  'info:reveal',
  'customer_list:reveal',
  'review_list:reveal',
  'order_list:reveal',
  'loan_list:reveal',
  'user_feedback:reveal',
  'operation_ticket:reveal',
  'loaned_ticket:reveal',
  'no_certified:reveal',
  'unrequished:reveal',
  'no_relented:reveal',
  'loan_failed:reveal',
] as const

export const CustomerSections = Type.Object({
  userId: text,
  basic: Type.Object({
    name: text,
    panName: maybe,
    phone: text,
    sex: maybe,
    age: int,
    birthday: maybe,
    maritalStatus: maybe,
    education: maybe,
    childrenCount: int,
    dwellingState: maybe,
    profession: maybe,
    companyName: maybe,
    companyAddress: maybe,
    residentialAddress: maybe,
    monthlyIncome: int,
    email: maybe,
    postcode: maybe,
    language: text,
    channel: text,
    /** Times without recovery contact, and whether promotion is not wanted. */
    noContact: Type.Array(NoContactSlot),
    dnd: Type.Boolean(),
  }),
  contact: Nullable(
    Type.Array(Type.Object({ contactId: text, relation: text, name: text, phone: text })),
  ),
  kyc: Nullable(
    Type.Object({
      aadhaar: maybe,
      pan: maybe,
      verifyState: text,
      panState: text,
      facePan: int,
      faceAadhaar: int,
      extracted: Type.Object({
        panName: maybe,
        panNumber: maybe,
        panBirthday: maybe,
        aadhaarName: maybe,
        aadhaarNumber: maybe,
        aadhaarBirthday: maybe,
        aadhaarSex: maybe,
        aadhaarAddress: maybe,
        bankHolder: maybe,
      }),
    }),
  ),
  bankCard: Nullable(
    Type.Object({
      holder: text,
      bankName: text,
      account: text,
      ifsc: text,
      bindState: text,
      nameSimilarity: int,
    }),
  ),
  photos: Nullable(
    Type.Array(Type.Object({ photoId: text, kind: OneOf(PHOTO_KINDS), uploadTime: text })),
  ),
  credit: Nullable(
    Type.Object({
      finalLimit: Type.Integer(),
      baseLimit: Type.Integer(),
      adjustedLimit: Type.Integer(),
      tenureDays: Type.Integer(),
      periods: Type.Integer(),
      daysPerPeriod: Type.Integer(),
      serviceRate: Type.Integer(),
      dailyRate: Type.Integer(),
      /** Of an EMI product, in place of the daily rate and the length of a period. */
      emi: Nullable(Type.Object({ annualRate: Type.Integer(), dueDay: Type.Integer() })),
      state: text,
    }),
  ),
  device: Nullable(
    Type.Object({
      brand: maybe,
      model: maybe,
      os: maybe,
      osVersion: maybe,
      language: maybe,
      memoryMb: int,
      operator: maybe,
    }),
  ),
  orders: Type.Array(
    Type.Object({
      orderId: text,
      amount: Type.Integer(),
      status: Type.Integer(),
      createTime: text,
      overdueDays: Type.Integer(),
    }),
  ),
})

export const revealField = endpoint({
  method: 'POST',
  path: '/userInfo/reveal',
  access: REVEAL_CODES,
  menu: 'customer_list',
  /**
   * `transferId`: the account of that transfer, which may be older than the customer's. `recordId`:
   * the payment whose UPI address is meant.
   */
  input: Type.Object(
    {
      userId: Id(),
      field: OneOf(REVEAL_FIELDS),
      contactId: Type.Optional(Id()),
      transferId: Type.Optional(Id()),
      recordId: Type.Optional(Id()),
      reason: Text(4, 100),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({ value: text, shownSeconds: Type.Integer() }),
  audit: 'reveal',
  summary: 'Opens one masked field of one customer for 60 s; logged before the value leaves',
})
