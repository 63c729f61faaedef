import Type from 'typebox'
import { type Endpoint, endpoint, Id, MapOf, OneOf, Text } from '#shared/kernel/endpoint.ts'

/** Lists as files (api.md 23): any list whose contract says `exports`, read by its own query with the rights of who asks. */
const strict = { additionalProperties: false }

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What a field holds, and so how it stands in the file: `money` paise as rupees, `percent` basis points, `time` an instant in India time. */
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
    /** Field of the list's row; the first of several that holds something. */
    field: Type.Array(fieldPath, { minItems: 1, maxItems: 3 }),
    /** The header as its reader sees it. */
    title: Text(1, 100),
    kind: OneOf(EXPORT_KINDS),
    /** Code → word in the reader's language; a code without a word stands for itself. */
    words: Type.Optional(MapOf(Type.String({ maxLength: 300 }), { maxProperties: 300 })),
  },
  strict,
)

const scalar = Type.Union([Type.String({ maxLength: 400 }), Type.Number(), Type.Boolean()])

export const startExport = endpoint({
  method: 'POST',
  path: '/export/batch',
  // the list's own code decides, with the filters given
  access: 'any',
  input: Type.Object(
    {
      /** Path of the list's call. */
      list: Type.String({ maxLength: 80, pattern: '^/[A-Za-z0-9/]+$' }),
      /** As the list's call takes them, page and size left out. */
      filters: MapOf(Type.Union([scalar, Type.Array(scalar, { maxItems: 200 })]), {
        keys: '^[A-Za-z][A-Za-z0-9]{0,39}$',
        maxProperties: 60,
      }),
      columns: Type.Array(ExportColumn, { minItems: 1, maxItems: 80 }),
      format: OneOf(EXPORT_FORMATS),
      /** What the list is called where it was asked for. */
      title: Text(1, 100),
      /** Phones in the clear, for holders of `<menu>:reveal`; asks for a reason. */
      reveal: Type.Optional(Type.Boolean()),
      /** For the log and for who decides it; needed when phones are open, and when the file holds more rows than one person may take. */
      reason: Type.Optional(Text(4, 200)),
      /** Only the rows whose field holds one of these. */
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
    'Makes a file of a list; the job that makes it answers /job/download. Above export.approveAbove rows a second person decides first',
})

/** Whether the rows of a list name a customer and show his phone masked. */
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
  // a file answer carries no envelope
  data: Type.Null(),
  audit: 'exportDownload',
  summary: 'The file an own job made, for a day',
})
