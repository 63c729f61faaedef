import type { ICellRendererComp } from 'ag-grid-community'
import type { PresenceState } from '#shared/kernel/live.ts'

/** What a column may use to make text; `t` takes keys with namespace. */
export interface CellTools {
  t: (key: string, params?: Record<string, unknown>) => string
  language: string
}

/**
 * `money` paise as rupees, `percent` basis points, `time` an instant in India time, `list` several
 * codes.
 */
export type ExportKind = 'text' | 'number' | 'money' | 'percent' | 'day' | 'time' | 'yesNo' | 'list'

/** A tag in a cell: text and colour. */
export interface CellTag {
  text: string
  className: string
}

export interface GridColumn<Row> {
  id: string
  /** i18n key of the header, with namespace. */
  title: string
  /** Compared to detect a change; a patched change flashes. */
  value: (row: Row) => unknown
  /** What is shown, copied and exported. */
  text: (row: Row, tools: CellTools) => string
  tip?: (row: Row, tools: CellTools) => string
  /** px */
  width: number
  align?: 'right' | 'center'
  /** Field name the server sorts by; absent = not sortable. */
  sort?: string
  pin?: 'left' | 'right'
  hidden?: boolean
  /** A greater value is worse (DPD, due): its flash is amber. */
  upIsWorse?: boolean
  /** Format in a file; `none` = left out, absent = text. */
  exportKind?: ExportKind | 'none'
  /**
   * Fields of the row to export: the first with a value. Absent = the field named like the column.
   */
  exportFields?: readonly string[]
  /** Codes of its closed set, where their texts are not under one key of the locale file. */
  codes?: readonly (string | number)[]
  /** The text of a code; a file gets the texts of all codes. */
  word?: (code: never, tools: CellTools) => string
  className?: (row: Row) => string
  renderer?: new () => ICellRendererComp
  /** One of the renderers in grid-cells.ts. */
  tags?: (row: Row, tools: CellTools) => readonly CellTag[]
  href?: (row: Row) => string
  since?: (row: Row) => string | null
  limits?: { warnMs: number; badMs: number }
  presence?: (row: Row) => PresenceState | 'offline'
}
