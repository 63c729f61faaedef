import Type from 'typebox'
import { Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { NoContactSlot } from './no-contact.ts'

const text = Type.String()
const maybe = Nullable(text)
const int = Nullable(Type.Integer())

export const PHOTO_KINDS = ['pan', 'aadhaarFront', 'aadhaarBack', 'liveFace'] as const

/** Sections of a customer for other screens; the server masks every personal value. */
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
