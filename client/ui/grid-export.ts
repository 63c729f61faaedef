/** Columns of a list as a file has them: the server writes it, the words come from here. */
import type { CellTools, ExportKind, GridColumn } from './grid-columns.ts'

export interface FileColumn {
  field: string[]
  title: string
  kind: ExportKind
  words?: Record<string, string>
}

/** No code is called so. */
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

/** A row's id stands in one of its fields. */
export function idField<Row extends object>(
  rows: readonly Row[],
  getRowId: (row: Row) => string,
): string {
  const [row] = rows
  return row === undefined
    ? 'id'
    : (Object.entries(row).find(([, value]) => value === getRowId(row))?.[0] ?? 'id')
}

/** The words of all codes a column may hold, not only of those on the page; null for a column without words. */
function wordsOf<Row>(
  { word, codes }: GridColumn<Row>,
  tools: CellTools,
  setOf: (key: string) => readonly string[],
): Record<string, string> | null {
  if (!word) return null
  const say = word as (code: string | number, tools: CellTools) => string
  return Object.fromEntries(
    (codes ?? codesBeside(say, tools, setOf)).map((code) => [String(code), say(code, tools)]),
  )
}

/** The words of a closed set stand beside each other in the locale file: the key that is made for no code tells where. */
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
