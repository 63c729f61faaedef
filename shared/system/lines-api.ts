import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'

/** Outbound phone lines and extensions. */
const text = Type.String()
const maybe = Nullable(text)
const strict = { additionalProperties: false }
export const LINE_KINDS = ['service', 'promotional', 'whatsapp', 'ai'] as const
export const LINE_STATES = ['enabled', 'disabled', 'blocked'] as const

export const LineRow = Type.Object({
  lineId: text,
  number: text,
  kind: OneOf(LINE_KINDS),
  vendorCode: text,
  seatNumber: maybe,
  boundUserId: maybe,
  boundName: maybe,
  concurrency: Type.Integer(),
  dailyCap: Type.Integer(),
  /** Calls made on the line today (IST). */
  usedToday: Type.Integer(),
  status: OneOf(LINE_STATES),
  version: Type.Integer(),
})

export const listLines = endpoint({
  method: 'GET',
  path: '/phone/line/list',
  access: ['phone_manangement:view'],
  menu: 'phone_manangement',
  input: ListInput({
    number: Type.Optional(Text(1, 20)),
    kind: Type.Optional(OneOf(LINE_KINDS)),
    vendorCode: Type.Optional(Text(1, 40)),
    status: Type.Optional(OneOf(LINE_STATES)),
    boundTo: Type.Optional(Text(1, 64)),
  }),
  data: ListData(LineRow),
  summary: 'Outbound lines',
})

const fields = {
  number: Type.String({
    minLength: 3,
    maxLength: 20,
    pattern: '^\\+?[0-9]{3,19}$',
    fault: 'system:fault.number',
  }),
  kind: OneOf(LINE_KINDS),
  vendorCode: Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9._-]+$' }),
  seatNumber: Type.Optional(Type.String({ maxLength: 20, pattern: '^[A-Za-z0-9-]+$' })),
  concurrency: Type.Integer({ minimum: 1, maximum: 500 }),
  dailyCap: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  status: OneOf(LINE_STATES),
}

export const addLine = endpoint({
  method: 'POST',
  path: '/phone/line/add',
  access: ['phone_manangement:add'],
  menu: 'phone_manangement',
  input: Type.Object(fields, strict),
  data: Type.Object({ lineId: text }),
  audit: 'add',
  summary: 'Adds a line',
})

export const editLine = endpoint({
  method: 'POST',
  path: '/phone/line/edit',
  access: ['phone_manangement:edit'],
  menu: 'phone_manangement',
  input: Type.Object({ lineId: Id(), version: Version(), ...fields }, strict),
  data: Type.Object({ lineId: text }),
  audit: 'edit',
  summary: 'Changes a line',
})

export const setLineStatus = endpoint({
  method: 'POST',
  path: '/phone/line/status',
  access: ['phone_manangement:status'],
  menu: 'phone_manangement',
  input: Type.Object(
    { lineIds: Type.Array(Id(), { maxItems: BULK_MAX }), status: OneOf(LINE_STATES) },
    strict,
  ),
  data: BulkData(),
  audit: 'status',
  summary: 'Switches lines',
})

export const bindSeat = endpoint({
  method: 'POST',
  path: '/phone/seat/bind',
  access: ['phone_manangement:bind'],
  menu: 'phone_manangement',
  input: Type.Object({ lineId: Id(), version: Version(), userId: Type.Optional(Id()) }, strict),
  data: LineRow,
  audit: 'bind',
  summary: 'Binds a line to a person who makes calls; without a person unbinds it',
})

export const linePeople = endpoint({
  method: 'GET',
  path: '/phone/seat/people',
  access: ['phone_manangement:bind'],
  menu: 'phone_manangement',
  input: Type.Object({}),
  data: Type.Object({
    rows: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
  }),
  summary: 'People a line can be bound to: enabled and making calls',
})
