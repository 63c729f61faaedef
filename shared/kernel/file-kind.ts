/** What a file is, by its bytes: its name and the type it was sent with are the sender's words. */

export const FILE_KINDS = ['jpg', 'png', 'pdf'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Sheets that lists are read from. */
export const SHEET_KINDS = ['xlsx', 'csv'] as const
export type SheetKind = (typeof SHEET_KINDS)[number]

export const MIME_OF: Record<FileKind | SheetKind, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
}

const BEGINNINGS: readonly (readonly [FileKind, readonly number[]])[] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  // %PDF-
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
]
/** Shorter is none of them. */
const LEAST_BYTES = 20

/**
 * @returns null for anything else, and for a PDF that can act on its own (script, launch,
 * attachment, form that sends)
 */
export function fileKindOf(bytes: Uint8Array): FileKind | null {
  if (bytes.length < LEAST_BYTES) return null
  const kind =
    BEGINNINGS.find(([, beginning]) => beginning.every((byte, i) => bytes[i] === byte))?.[0] ?? null
  return kind === 'pdf' && isActivePdf(bytes) ? null : kind
}

/**
 * A zip is taken for a workbook, and opening it shows whether it is one; plain text for lines with commas.
 * @returns null for anything else
 */
export function sheetKindOf(bytes: Uint8Array): SheetKind | null {
  if (bytes.length === 0) return null
  if ([0x50, 0x4b, 0x03, 0x04].every((byte, i) => bytes[i] === byte)) return 'xlsx'
  return bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
    ? 'csv'
    : null
}

const ACTIVE =
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData|GoToE)(?![A-Za-z])/

/**
 * A name may be spelled with hex (`/J#61vaScript`). What is in compressed parts is not seen: a
 * PDF is never opened by the console itself.
 */
function isActivePdf(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes)
  return (
    ACTIVE.test(text) ||
    (/\/[A-Za-z]*#/.test(text) &&
      ACTIVE.test(
        text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
      ))
  )
}
