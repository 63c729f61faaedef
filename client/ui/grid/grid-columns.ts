/**
 * The kinds of list columns. A column is data at module scope: its value, its text and its form in
 * an export. Plain text uses AG Grid's formatter; the few that need markup use a renderer without
 * React, because 50 rows × 12 cells are redrawn on every scroll and patch.
 */
import { formatHundredths, formatPaise } from '#shared/kernel/money.ts'
import type { CellTag, CellTools, GridColumn } from './column-types.ts'
import { DurationCell, LinkCell, StaffCell, TagCell } from './grid-cells.ts'
import { TagsCell } from './tags-cell.ts'
import { formatCount, formatIst, istTip } from '#client/ui/value/ist-format.ts'
import { stageClass, type Tone } from '#client/ui/value/StatusTag.tsx'

/** Options of every kind; `value` defaults to the field named like the column. */
export interface ColumnSpec<Row, Value> extends Partial<
  Omit<GridColumn<Row>, 'id' | 'title' | 'value' | 'renderer' | 'tags' | 'word'>
> {
  id: string
  title: string
  value?: (row: Row) => Value
}

type Maybe<Value> = Value | null | undefined
const NOTHING = ''

export function textColumn<Row>(spec: ColumnSpec<Row, Maybe<string | number>>): GridColumn<Row> {
  const value = reader(spec)
  return {
    width: 140,
    text: (row) => String(value(row) ?? NOTHING),
    tip: (row) => String(value(row) ?? NOTHING),
    ...spec,
    value,
  }
}

/** An id that opens the record; `href` makes it a real link for a second browser tab. */
export function idColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  return { ...textColumn({ width: 150, ...spec }), renderer: LinkCell }
}

/** A closed set shown as plain text. */
export function wordColumn<Row>(
  spec: ColumnSpec<Row, Maybe<string | number>> & {
    word: (value: string | number, tools: CellTools) => string
  },
): GridColumn<Row> {
  const value = reader(spec)
  const text = (row: Row, tools: CellTools) => {
    const code = value(row)
    return code === null || code === undefined || code === '' ? NOTHING : spec.word(code, tools)
  }
  return { width: 120, text, tip: text, ...spec, value }
}

/** Paise, shown as ₹; exported as rupees. */
export function moneyColumn<Row>(spec: ColumnSpec<Row, Maybe<number>>): GridColumn<Row> {
  const value = reader(spec)
  return {
    width: 116,
    align: 'right',
    exportKind: 'money',
    text: (row) =>
      value(row) === null || value(row) === undefined ? '—' : formatPaise(value(row) as number),
    ...spec,
    value,
  }
}

export function integerColumn<Row>(spec: ColumnSpec<Row, Maybe<number>>): GridColumn<Row> {
  const value = reader(spec)
  const figure = (row: Row) => {
    const n = value(row)
    return n === null || n === undefined ? NOTHING : formatCount(n)
  }
  return {
    width: 76,
    align: 'right',
    exportKind: 'number',
    text: figure,
    ...spec,
    value,
  }
}

/** Basis points: 1250 reads 12.50 %. */
export function percentColumn<Row>(spec: ColumnSpec<Row, Maybe<number>>): GridColumn<Row> {
  const value = reader(spec)
  const figure = (row: Row) => {
    const points = value(row)
    return points === null || points === undefined ? NOTHING : formatHundredths(Math.round(points))
  }
  return {
    width: 92,
    align: 'right',
    exportKind: 'percent',
    text: (row) => (figure(row) ? `${figure(row)} %` : NOTHING),
    ...spec,
    value,
  }
}

/** An IST day or the day of an instant. */
export function dayColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  const value = reader(spec)
  return {
    width: 112,
    exportKind: 'day',
    text: (row, tools) => formatIst(value(row), 'day', tools.language),
    ...spec,
    value,
  }
}

/** An instant in India time; the tooltip shows the exact one. */
export function timeColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  const value = reader(spec)
  return {
    width: 156,
    exportKind: 'time',
    text: (row, tools) => formatIst(value(row), 'dayTime', tools.language),
    tip: (row, tools) => istTip(value(row), tools.language),
    ...spec,
    value,
  }
}

/** A status: text and tone come from the code. */
export function statusColumn<Row>(
  spec: ColumnSpec<Row, Maybe<string | number>> & {
    word: (code: string | number, tools: CellTools) => string
    tone: (code: string | number) => Tone
  },
): GridColumn<Row> {
  const column = wordColumn({ width: 130, ...spec })
  const tags = (row: Row, tools: CellTools): CellTag[] => {
    const code = column.value(row) as Maybe<string | number>
    return code === null || code === undefined || code === ''
      ? []
      : [{ text: column.text(row, tools), className: `tag tone-${spec.tone(code)}` }]
  }
  return { ...column, tags, renderer: TagCell }
}

export function stageColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  const value = reader(spec)
  const tags = (row: Row) => {
    const stage = value(row)
    return stage ? [{ text: stage, className: stageClass(stage) }] : []
  }
  return { ...textColumn({ width: 68, tip: () => NOTHING, ...spec }), tags, renderer: TagCell }
}

/** Several texts, each in its own tag. */
export function tagsColumn<Row>(
  spec: ColumnSpec<Row, Maybe<readonly string[]>> & {
    word?: (code: string, tools: CellTools) => string
    tone?: (code: string) => Tone
  },
): GridColumn<Row> {
  const value = reader(spec)
  const words = (row: Row, tools: CellTools) =>
    (value(row) ?? []).map((code) => spec.word?.(code, tools) ?? code)
  const text = (row: Row, tools: CellTools) => words(row, tools).join(', ')
  const tags = (row: Row, tools: CellTools) =>
    (value(row) ?? []).map((code, i) => ({
      text: words(row, tools)[i] as string,
      className: `tag tone-${spec.tone?.(code) ?? 'neutral'}`,
    }))
  // Joined, because AG Grid compares by identity and a new array would count as a change.
  return {
    width: 160,
    exportKind: 'list',
    text,
    tip: text,
    ...spec,
    value: (row) => (value(row) ?? []).join('\n'),
    tags,
    renderer: TagsCell,
  }
}

export function yesNoColumn<Row>(spec: ColumnSpec<Row, Maybe<boolean | number>>): GridColumn<Row> {
  return wordColumn<Row>({
    width: 84,
    exportKind: 'yesNo',
    ...spec,
    value: (row) => (reader(spec)(row) ? 1 : 0),
    word: (on, tools) => tools.t(on ? 'ui:yes' : 'ui:no'),
  })
}

/** Room for a masked phone in the largest size; its last digits are what tells people apart. */
const MASKED_WIDTH = 118

/** Masked by the server; it can be revealed in the record, not in the list. */
export function maskedColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  const width = Math.max(MASKED_WIDTH, spec.width ?? 0)
  return { ...textColumn({ ...spec, width }), className: () => 'cell-masked' }
}

/** Name of a colleague with a presence dot. */
export function staffColumn<Row>(spec: ColumnSpec<Row, Maybe<string>>): GridColumn<Row> {
  const column = textColumn({ width: 130, ...spec })
  // The mark is compared together with the name: otherwise an unchanged name would keep the old
  // mark.
  return {
    ...column,
    value: (row) =>
      spec.presence === undefined
        ? column.value(row)
        : [column.value(row), spec.presence(row)].join(' '),
    renderer: StaffCell,
  }
}

/** Time since an instant, counting; amber and red from its limits. */
export function durationColumn<Row>(
  spec: ColumnSpec<Row, Maybe<string>> & { limits: { warnMs: number; badMs: number } },
): GridColumn<Row> {
  const value = reader(spec)
  return {
    width: 76,
    align: 'right',
    exportKind: 'none',
    text: (row) => value(row) ?? NOTHING,
    ...spec,
    value,
    since: (row) => value(row) ?? null,
    renderer: DurationCell,
  }
}

function reader<Row, Value>(spec: {
  id: string
  value?: (row: Row) => Value
}): (row: Row) => Value {
  return spec.value ?? ((row) => (row as Record<string, unknown>)[spec.id] as Value)
}
