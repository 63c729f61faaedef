import Type, { type Static } from 'typebox'
import { endpoint, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'

/**
 * The kinds of records that have a number, and staff; a payment and a colleague are shown in their
 * list, all others have a page.
 */
export const RECORD_KINDS = [
  'order',
  'plan',
  'record',
  'review',
  'case',
  'ticket',
  'staff',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]
export const MOST_FOUND = 20
export const MOST_PEOPLE = 8

/**
 * Why nothing was found: a number that is neither an id nor a whole phone or UTR · what the text
 * can mean belongs to screens the caller does not have · nothing in the caller's scope matches.
 */
export const NOTHING_FOUND = ['partNumber', 'noRight', 'none'] as const

const text = Type.String()

/** A borrower as somebody on the phone needs them before anything is written. */
export const FoundPerson = Type.Object({
  userId: text,
  name: text,
  /** Masked; the last digits distinguish people of one name. */
  phone: text,
  appName: text,
  route: text,
  /** The order that runs, an overdue one first, then one with a debt, then an application. */
  openOrder: Nullable(
    Type.Object({
      orderId: text,
      status: Type.Integer(),
      dueDay: Nullable(text),
      overdueDays: Type.Integer(),
    }),
  ),
  openTickets: Type.Integer(),
})
export type FoundPerson = Static<typeof FoundPerson>

/** The text travels in the body: it may be a phone or a name, which no address or log may hold. */
export const searchRecords = endpoint({
  method: 'POST',
  path: '/search',
  access: 'any',
  input: Type.Object({ text: Text(3, 64) }, { additionalProperties: false }),
  data: Type.Object({
    people: Type.Array(FoundPerson),
    /** More people match than are listed. */
    morePeople: Type.Boolean(),
    rows: Type.Array(
      Type.Object({ kind: OneOf(RECORD_KINDS), id: text, label: text, route: text }),
    ),
    /** Null when something was found. */
    why: Nullable(OneOf(NOTHING_FOUND)),
  }),
  summary:
    'People by phone, PAN, id, order or name, records by id or UTR, staff by name or account, in scope',
})
