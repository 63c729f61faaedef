import Type from 'typebox'
import { endpoint, OneOf, Text } from '#shared/kernel/endpoint.ts'

/**
 * The kinds of records that have a number; a payment is shown in its list, all others have a page.
 */
export const RECORD_KINDS = [
  'customer',
  'order',
  'plan',
  'record',
  'review',
  'case',
  'ticket',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]
export const MOST_FOUND = 20

export const searchRecords = endpoint({
  method: 'GET',
  path: '/search',
  access: 'any',
  input: Type.Object({ text: Text(3, 64) }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        kind: OneOf(RECORD_KINDS),
        id: Type.String(),
        label: Type.String(),
        route: Type.String(),
      }),
    ),
  }),
  summary:
    "Records whose id begins with the text, or whose phone, PAN or UTR equals it, within the caller's menus and scope",
})
