/**
 * A field of a row as a cell of the file (pure): money in rupees, times in IST, codes as labels.
 */
import type { Static } from 'typebox'
import { istClock, istDay } from '#shared/kernel/time.ts'
import type { ExportColumn } from '#shared/exports/exports-api.ts'

export type Column = Static<typeof ExportColumn>

export interface Cell {
  text: string
  /** `time` is written as YYYY-MM-DD HH:MM in IST, `day` as YYYY-MM-DD. Empty cells are text. */
  kind: 'text' | 'number' | 'day' | 'time'
}

const EMPTY: Cell = { text: '', kind: 'text' }

/** @param row a row of the list's answer */
export function cellOf(row: unknown, { field, kind, words }: Column): Cell {
  const value = field
    .map((path) => valueAt(row, path))
    .find((one) => one !== null && one !== undefined)
  if (kind === 'yesNo') return { text: wordOf(words, value ? 'true' : 'false'), kind: 'text' }
  if (value === null || value === undefined || value === '') return EMPTY
  if (kind === 'list')
    return {
      text: (Array.isArray(value) ? value : [value])
        .map((one) => wordOf(words, plain(one)))
        .join(', '),
      kind: 'text',
    }
  if (words) return { text: wordOf(words, plain(value)), kind: 'text' }
  if (kind === 'money' || kind === 'percent')
    return typeof value === 'number'
      ? { text: hundredths(value), kind: 'number' }
      : { text: plain(value), kind: 'text' }
  if (kind === 'number')
    return typeof value === 'number'
      ? { text: String(value), kind: 'number' }
      : { text: plain(value), kind: 'text' }
  if (kind === 'day' || kind === 'time') return dated(plain(value), kind)
  return { text: plain(value), kind: 'text' }
}

function valueAt(row: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : null,
      row,
    )
}

function wordOf(words: Column['words'], code: string): string {
  return words && Object.hasOwn(words, code) ? (words[code] as string) : code
}

function plain(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** 123456 → 1234.56, without floating point. */
function hundredths(whole: number): string {
  const size = Math.abs(Math.trunc(whole))
  return `${whole < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}

function dated(text: string, kind: 'day' | 'time'): Cell {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { text, kind: 'day' }
  if (Number.isNaN(Date.parse(text))) return { text, kind: 'text' }
  return kind === 'day'
    ? { text: istDay(text), kind }
    : { text: `${istDay(text)} ${istClock(text)}`, kind }
}
