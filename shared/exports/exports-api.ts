import Type from 'typebox'
import { type Endpoint, endpoint, Id, MapOf, OneOf, Text } from '#shared/kernel/endpoint.ts'

/**
 * Exports: any list whose contract has `exports`, read by its own query with the requester's
 * rights.
 */
const strict = { additionalProperties: false }

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/**
 * The type of a field, which decides its cell: `money` paise as rupees, `percent` basis points,
 * `time` an instant in IST.
 */
export const EXPORT_KINDS = [
  'text',
  'number',
  'money',
  'percent',
  'day',
  'time',
  'yesNo',
  'list',
] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

const fieldPath = Type.String({
  maxLength: 60,
  pattern: '^[A-Za-z][A-Za-z0-9]*(\\.[A-Za-z][A-Za-z0-9]*){0,3}$',
})

export const ExportColumn = Type.Object(
  {
    /** Field of the list's row; of several, the first with a value. */
    field: Type.Array(fieldPath, { minItems: 1, maxItems: 3 }),
    /** The header in the requester's language. */
    title: Text(1, 100),
    kind: OneOf(EXPORT_KINDS),
    /** Code → label in the requester's language; a code without a label is written unchanged. */
    words: Type.Optional(MapOf(Type.String({ maxLength: 300 }), { maxProperties: 300 })),
  },
  strict,
)

const scalar = Type.Union([Type.String({ maxLength: 400 }), Type.Number(), Type.Boolean()])

export const startExport = endpoint({
  method: 'POST',
  path: '/export/batch',
  // the list's own code decides, for the given filters
  access: 'any',
  input: Type.Object(
    {
      /** Path of the list's call. */
      list: Type.String({ maxLength: 80, pattern: '^/[A-Za-z0-9/]+$' }),
      /** Input of the list's call, without page and size. */
      filters: MapOf(Type.Union([scalar, Type.Array(scalar, { maxItems: 200 })]), {
        keys: '^[A-Za-z][A-Za-z0-9]{0,39}$',
        maxProperties: 60,
      }),
      columns: Type.Array(ExportColumn, { minItems: 1, maxItems: 80 }),
      format: OneOf(EXPORT_FORMATS),
      /** The title of the list where it was requested. */
      title: Text(1, 100),
      /** Unmasked phones, with the code `<menu>:reveal` and a reason. */
      reveal: Type.Optional(Type.Boolean()),
      /**
       * For the operate log and the approver; required for unmasked phones and above the personal
       * row limit.
       */
      reason: Type.Optional(Text(4, 200)),
      /** Only rows whose field holds one of these values. */
      only: Type.Optional(
        Type.Object(
          { field: fieldPath, ids: Type.Array(Id(), { minItems: 1, maxItems: 5000 }) },
          strict,
        ),
      ),
    },
    strict,
  ),
  data: Type.Object({
    jobId: Type.Optional(Type.String()),
    approvalId: Type.Optional(Type.String()),
  }),
  audit: 'export',
  summary:
    'Starts a job that makes a file of a list, for /job/download. Above export.approveAbove rows it needs approval',
})

/** Whether the rows of a list name a customer and show the masked phone. */
export function showsPhones({ data }: Pick<Endpoint, 'data'>): boolean {
  const fields =
    (data as { properties?: { rows?: { items?: { properties?: object } } } }).properties?.rows
      ?.items?.properties ?? {}
  return 'phone' in fields && 'userId' in fields
}

export const downloadExport = endpoint({
  method: 'GET',
  path: '/job/download',
  access: 'any',
  input: Type.Object({ jobId: Id() }, strict),
  // a file answer has no envelope
  data: Type.Null(),
  audit: 'exportDownload',
  summary: 'The file of an own job, for a day',
})
