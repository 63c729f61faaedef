import Type, { type Static } from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Time } from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { BLACKLIST_SOURCES, CREDIT_STATES, CUSTOMER_CLASSES } from './customer-sets.ts'

/** The customer list and the blacklist. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const menu = 'customer_list'
const strict = { additionalProperties: false }

export const CustomerRow = Type.Object({
  userId: text,
  name: text,
  panName: maybe,
  phone: text,
  channelId: text,
  channelName: text,
  appId: text,
  appName: text,
  customerClass: text,
  certified: Type.Boolean(),
  creditState: text,
  finalLimit: Nullable(int),
  entryCount: int,
  orderCount: int,
  settlementCount: int,
  blacklisted: Type.Boolean(),
  /** Names of the coupons the customer may use now. */
  couponNames: Type.Array(text),
  registerTime: text,
  lastActiveTime: text,
  version: int,
})
export type CustomerRow = Static<typeof CustomerRow>

export const listCustomers = endpoint({
  method: 'GET',
  path: '/userInfo/list',
  exports: [{ code: 'customer_list:export' }],
  file: { path: '/export/list/homeExport', when: { type: ['customer'] } },
  access: ['customer_list:view'],
  menu,
  input: ListInput({
    userId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 64)),
    /** Whole numbers only: the search compares keyed hashes. */
    phone: Type.Optional(Type.String({ pattern: '^[6-9]\\d{9}$' })),
    pan: Type.Optional(Type.String({ pattern: '^[A-Z]{5}\\d{4}[A-Z]$' })),
    account: Type.Optional(Type.String({ pattern: '^\\d{6,20}$' })),
    aadhaarLast4: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
    channelId: Type.Optional(Id()),
    appId: Type.Optional(Id()),
    customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
    certified: Type.Optional(Type.Boolean()),
    creditState: Type.Optional(OneOf(CREDIT_STATES)),
    blacklisted: Type.Optional(Type.Boolean()),
    registerTimeFrom: Type.Optional(Time()),
    registerTimeTo: Type.Optional(Time()),
  }),
  data: ListData(CustomerRow),
  summary: 'Customers; phone, PAN and account are found whole only, by keyed hash',
})

export const customerOptions = endpoint({
  method: 'GET',
  path: '/userInfo/options',
  access: ['customer_list:view'],
  menu,
  input: Type.Object({}),
  data: Type.Object({
    apps: Type.Array(Type.Object({ id: text, name: text })),
    channels: Type.Array(Type.Object({ id: text, name: text })),
  }),
  summary: 'Apps and channels for the filters',
})

export const BlacklistRow = Type.Object({
  blackId: text,
  userId: text,
  userName: text,
  time: text,
  source: text,
  reason: text,
  operatorName: maybe,
  endTime: maybe,
  endReason: maybe,
  endName: maybe,
})
export type BlacklistRow = Static<typeof BlacklistRow>

export const listBlacklist = endpoint({
  method: 'GET',
  path: '/userInfo/blacklist/list',
  exports: [{ code: 'customer_list:export' }],
  access: ['customer_list:view'],
  menu,
  input: ListInput({
    userId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 64)),
    source: Type.Optional(OneOf(BLACKLIST_SOURCES)),
    /** Omitted: active and ended entries. */
    ended: Type.Optional(Type.Boolean()),
    timeFrom: Type.Optional(Time()),
    timeTo: Type.Optional(Time()),
  }),
  data: ListData(BlacklistRow),
  summary: 'Entries of the blacklist',
})

/**
 * Per customer of a synchronous call: orders not paid out yet. They are not changed; staff must
 * look at them.
 */
const Warned = Type.Array(Type.Object({ userId: text, orderId: text, status: int }))

export const addToBlacklist = endpoint({
  method: 'POST',
  path: '/userInfo/blacklist/add',
  access: ['customer_list:blacklist'],
  menu,
  input: Type.Object(
    { userIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX }), reason: Text(4, 200) },
    strict,
  ),
  data: Type.Object({ ...BulkData().properties, openOrders: Warned }),
  audit: 'blacklist',
  summary:
    'Blacklists customers: their new applications are refused and passed orders are not paid out',
})

export const removeFromBlacklist = endpoint({
  method: 'POST',
  path: '/userInfo/blacklist/remove',
  access: ['customer_list:blacklist'],
  menu,
  input: Type.Object(
    { blackIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX }), reason: Text(4, 200) },
    strict,
  ),
  data: BulkData(),
  audit: 'blacklistEnd',
  summary: 'Ends entries; their history stays',
})
