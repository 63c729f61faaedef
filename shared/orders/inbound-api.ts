import Type from 'typebox'
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'
import { endpoint, Id, Nullable, OneOf, Paise, Text, Time } from '#shared/kernel/endpoint.ts'
import { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { Campaign } from '#shared/reports/campaign.ts'

/**
 * Signed calls from the customer app, the machine review and the payout vendor: HMAC-SHA256 over
 * `timestamp.eventId.body` in X-Signature, with X-Key-Id, X-Timestamp (±5 min) and X-Event-Id (a
 * repeated event has one effect).
 */
const strict = { additionalProperties: false }
const Photo = Type.Object(
  {
    kind: OneOf(PHOTO_KINDS),
    mime: OneOf(['image/jpeg', 'image/png']),
    base64: Type.String({ minLength: 20, maxLength: 700_000, pattern: '^[A-Za-z0-9+/]+={0,2}$' }),
  },
  strict,
)
const Contact = Type.Object(
  { relation: Text(1, 20), name: Text(1, 64), phone: Type.String({ pattern: '^[6-9]\\d{9}$' }) },
  strict,
)
const BankCard = Type.Object(
  {
    holder: Text(1, 64),
    bankName: Text(1, 64),
    account: Type.String({ pattern: '^\\d{9,18}$' }),
    ifsc: Type.String({ pattern: '^[A-Z]{4}0[A-Z0-9]{6}$' }),
    bound: Type.Boolean(),
    nameSimilarity: Type.Integer({ minimum: 0, maximum: 10_000 }),
  },
  strict,
)
const Extracted = Type.Object(
  {
    panName: Type.Optional(Text(0, 64)),
    panNumber: Type.Optional(Text(0, 20)),
    panBirthday: Type.Optional(Text(0, 10)),
    aadhaarName: Type.Optional(Text(0, 64)),
    aadhaarLast4: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
    aadhaarBirthday: Type.Optional(Text(0, 10)),
    aadhaarSex: Type.Optional(Text(0, 10)),
    aadhaarAddress: Type.Optional(Text(0, 300)),
    bankHolder: Type.Optional(Text(0, 64)),
  },
  strict,
)

export const inboundApplication = endpoint({
  method: 'POST',
  path: '/inbound/application',
  access: { machine: 'application' },
  input: Type.Object(
    {
      appId: Id(),
      channelId: Id(),
      /** The advertising campaign that brought a new customer, as spend is entered for it. */
      campaign: Type.Optional(Campaign()),
      productId: Id(),
      amount: Paise({ minimum: 100 }),
      kfsVersion: Text(1, 20),
      kfsAcceptTime: Time(),
      /** How many, of an EMI product. */
      instalments: Type.Optional(Type.Integer({ minimum: 2, maximum: 36 })),
      /** A coupon of the customer that raises the limit. */
      couponGrantId: Type.Optional(Id()),
      customer: Type.Object(
        {
          name: Text(1, 64),
          panName: Text(1, 64),
          phone: Type.String({ pattern: '^[6-9]\\d{9}$' }),
          pan: Type.String({ pattern: '^[A-Z]{3}P[A-Z]\\d{4}[A-Z]$' }),
          aadhaar: Type.String({ pattern: '^[2-9]\\d{11}$' }),
          birthday: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
          sex: OneOf(['male', 'female', 'other']),
          maritalStatus: Type.Optional(Text(1, 20)),
          education: Type.Optional(Text(1, 30)),
          childrenCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
          dwellingState: Type.Optional(Text(1, 30)),
          profession: Type.Optional(Text(1, 40)),
          companyName: Type.Optional(Text(1, 80)),
          companyAddress: Type.Optional(Text(1, 200)),
          address: Text(4, 300),
          city: Text(1, 60),
          postcode: Type.String({ pattern: '^[1-9]\\d{5}$' }),
          monthlyIncome: Paise({ minimum: 0 }),
          email: Type.Optional(
            Type.String({ maxLength: 120, pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' }),
          ),
          language: Type.Optional(Text(2, 5)),
        },
        strict,
      ),
      contacts: Type.Array(Contact, { minItems: 3, maxItems: 3 }),
      bankCard: BankCard,
      device: Type.Optional(
        Type.Object(
          {
            brand: Text(0, 40),
            model: Text(0, 60),
            os: Text(0, 20),
            osVersion: Text(0, 20),
            language: Text(0, 10),
            memoryMb: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
            operator: Text(0, 40),
          },
          strict,
        ),
      ),
      photos: Type.Optional(Type.Array(Photo, { maxItems: 4 })),
      extracted: Type.Optional(Extracted),
      facePan: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
      faceAadhaar: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    },
    strict,
  ),
  data: Type.Object({ orderId: Type.String(), reviewId: Type.String(), userId: Type.String() }),
  audit: 'application',
  summary: 'A new application: customer, order in 10, review in initial',
})

export const inboundMachineReview = endpoint({
  method: 'POST',
  path: '/inbound/machineReview',
  access: { machine: 'machineReview' },
  input: Type.Object(
    {
      reviewId: Id(),
      machineId: Id(),
      result: OneOf(['passed', 'undecided', 'failed', 'limitFailed', 'error']),
      score: Type.Optional(Nullable(Type.Integer())),
      limit: Type.Optional(Nullable(Paise())),
      needManual: Type.Boolean(),
      refusalCode: Type.Optional(Text(1, 20)),
      priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      rules: Type.Array(
        Type.Object(
          {
            code: Text(1, 20),
            name: Text(1, 80),
            hit: Type.Boolean(),
            output: Type.Optional(Nullable(Text(0, 200))),
            /** Why it could be neither hit nor not hit. */
            notEvaluated: Type.Optional(OneOf(UNKNOWN_CAUSES)),
          },
          strict,
        ),
        { maxItems: 200 },
      ),
    },
    strict,
  ),
  data: Type.Object({ orderId: Type.String(), status: Type.Integer(), reviewState: Type.String() }),
  audit: 'machineReview',
  summary: 'Result of the machine review: 10 → 20, 21, 22, 23; undecided queues the review',
})

export const inboundPayout = endpoint({
  method: 'POST',
  path: '/inbound/payout',
  access: { machine: 'payout' },
  input: Type.Object(
    {
      platformOrderNo: Id(),
      vendorOrderNo: Id(),
      result: OneOf(['success', 'fail']),
      failReason: Type.Optional(Text(1, 200)),
      utr: Type.Optional(Type.String({ pattern: '^([0-9]{12}|[A-Za-z0-9]{16}|[A-Za-z0-9]{22})$' })),
    },
    strict,
  ),
  data: Type.Object({ orderId: Type.String(), status: Type.Integer(), applied: Type.Boolean() }),
  audit: 'payout',
  summary: 'Result of a payout: 29 → 30 with plans and ledger, or 31; duplicates change nothing',
})

export const inboundResubmit = endpoint({
  method: 'POST',
  path: '/inbound/resubmit',
  access: { machine: 'application' },
  input: Type.Object(
    {
      reviewId: Id(),
      photos: Type.Optional(Type.Array(Photo, { maxItems: 4 })),
      contacts: Type.Optional(Type.Array(Contact, { minItems: 3, maxItems: 3 })),
      bankCard: Type.Optional(BankCard),
      address: Type.Optional(Text(4, 300)),
      extracted: Type.Optional(Extracted),
    },
    strict,
  ),
  data: Type.Object({ reviewId: Type.String(), state: Type.String() }),
  audit: 'resubmit',
  summary: 'Data a reviewer asked for arrives: back to the same reviewer when on duty',
})

/** Signed like every question of a machine. */
export const inboundTerms = endpoint({
  method: 'GET',
  path: '/inbound/terms',
  access: { machine: 'application' },
  input: Type.Object({ orderId: Id() }, strict),
  data: Type.Object({
    orderId: Type.String(),
    status: Type.Integer(),
    amount: Type.Integer(),
    arrival: Type.Integer(),
    serviceCharge: Type.Integer(),
    interest: Type.Integer(),
    contract: Type.Integer(),
    tenureDays: Type.Integer(),
    term: Type.Integer(),
    /** Another term was offered since the borrower accepted; nothing is paid out until they do. */
    needsAcceptance: Type.Boolean(),
  }),
  summary: 'Current key facts statement of an application, and whether it waits for consent',
})

export const inboundAccept = endpoint({
  method: 'POST',
  path: '/inbound/accept',
  access: { machine: 'application' },
  input: Type.Object(
    {
      orderId: Id(),
      kfsVersion: Text(1, 20),
      kfsAcceptTime: Time(),
      /** The accepted terms; they must equal those of the order. */
      contract: Paise({ minimum: 100 }),
      tenureDays: Type.Integer({ minimum: 1, maximum: 10_000 }),
      term: Type.Integer({ minimum: 1, maximum: 1_000 }),
    },
    strict,
  ),
  data: Type.Object({ orderId: Type.String(), status: Type.Integer() }),
  audit: 'accept',
  summary: 'The borrower accepts the terms that were changed: the order may be paid out',
})

export const inboundCancel = endpoint({
  method: 'POST',
  path: '/inbound/cancel',
  access: { machine: 'application' },
  input: Type.Object({ orderId: Id(), reason: Text(4, 200) }, strict),
  data: Type.Object({ orderId: Type.String(), status: Type.Integer() }),
  audit: 'cancel',
  summary: 'The customer withdraws',
})
