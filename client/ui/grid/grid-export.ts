/** Columns of a list for a file: the server writes it, the texts come from here. */
import type { CellTools, ExportKind, GridColumn } from './column-types.ts'

export interface FileColumn {
  field: string[]
  title: string
  kind: ExportKind
  words?: Record<string, string>
}

/** Not an existing code. */
const NO_CODE = '\u0001'

/** @param setOf the names under a key of a locale file */
export function exportColumns<Row>(
  columns: readonly GridColumn<Row>[],
  tools: CellTools,
  setOf: (key: string) => readonly string[],
): FileColumn[] {
  return columns.flatMap((column): FileColumn[] => {
    const { exportKind: kind = 'text', exportFields = [column.id] } = column
    if (kind === 'none') return []
    const words =
      kind === 'yesNo'
        ? { true: tools.t('ui:yes'), false: tools.t('ui:no') }
        : wordsOf(column, tools, setOf)
    return [
      {
        field: [...exportFields],
        title: tools.t(column.title),
        kind,
        ...(words === null ? {} : { words }),
      },
    ]
  })
}

/** A row's id is in one of its fields. */
export function idField<Row extends object>(
  rows: readonly Row[],
  getRowId: (row: Row) => string,
): string {
  const [row] = rows
  return row === undefined
    ? 'id'
    : (Object.entries(row).find(([, value]) => value === getRowId(row))?.[0] ?? 'id')
}

/** The texts of all codes a column may contain, not only those on the page; null without texts. */
function wordsOf<Row>(
  { word, codes }: GridColumn<Row>,
  tools: CellTools,
  setOf: (key: string) => readonly string[],
): Record<string, string> | null {
  if (!word) return null
  const wordOf = word as (code: string | number, tools: CellTools) => string
  return Object.fromEntries(
    (codes ?? codesBeside(wordOf, tools, setOf)).map((code) => [String(code), wordOf(code, tools)]),
  )
}

/** The texts of a closed set are under one key of the locale file, found by the key of no code. */
function codesBeside(
  word: (code: string, tools: CellTools) => string,
  tools: CellTools,
  setOf: (key: string) => readonly string[],
): readonly string[] {
  let place: string | null = null
  word(NO_CODE, {
    ...tools,
    t: (key) => {
      if (key.endsWith(`.${NO_CODE}`)) place = key.slice(0, -NO_CODE.length - 1)
      return key
    },
  })
  return place === null ? [] : setOf(place)
}

/** The texts under a key of a locale file, by their last part. */
export function setOfWords(
  i18n: {
    language: string
    getResource: (language: string, namespace: string, key: string) => unknown
  },
  key: string,
): readonly string[] {
  const at = key.indexOf(':')
  const found = i18n.getResource(i18n.language, key.slice(0, at), key.slice(at + 1))
  return typeof found === 'object' && found !== null ? Object.keys(found) : []
}
