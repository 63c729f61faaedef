/**
 * Reads the terms of a new product from the filled template. Sheets and columns are matched by name
 * in any language, or by position when the name is unknown. Every fault is reported by sheet, row
 * and column; a single fault rejects the workbook.
 */
import { Compile } from 'typebox/compile'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints, formatPaise, parseRupees } from '#shared/kernel/money.ts'
import { FILE_REFUSED, Problem } from '#shared/kernel/problem.ts'
import { penaltyFault, quotaFault, type RangeFault } from '#shared/products/product-terms.ts'
import {
  type addProduct,
  editExtension,
  editPenalty,
  editQuota,
  MAX_RANGES,
  TERMS_FILE,
} from '#shared/products/products-api.ts'
import {
  columnLetters,
  readWorkbook,
  type Sheet,
  type SheetCell,
} from '#gateway/manage/kernel/workbook.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import {
  type Column,
  columnKey,
  COLUMNS,
  EXAMPLE_KEY,
  type Part,
  PARTS,
  plain,
  sheetKey,
  wordsInAll,
} from './terms-sheets.ts'

type Quota = InputOf<typeof editQuota>['quota']
type Penalty = InputOf<typeof editPenalty>['penalty']
type Extension = InputOf<typeof editExtension>['extend']

export interface Terms {
  quota: Quota
  penalty: Penalty
  /** null = the sheet is empty. */
  extend: Extension | null
}

export interface TermsFault {
  sheet: Part
  row: number
  /** Column letters as shown by spreadsheets. */
  column: string
  messageKey: string
  params: Record<string, string | number>
}

type AllWords = Awaited<ReturnType<typeof wordsInAll>>
type Values = Record<string, string | number | boolean | null>
/** A parsed row with its position in the sheet. */
interface Read {
  n: number
  values: Values
}

/** Maximum number of reported faults. */
const NAMED = 50
const CHECKS = {
  quota: Compile(editQuota.input.properties.quota.items),
  penalty: Compile(editPenalty.input.properties.penalty.items),
  extend: Compile(editExtension.input.properties.extend),
}

/** @throws Problem G-FILE with the faulty rows */
export async function readTerms(
  file: Upload,
  product: Pick<InputOf<typeof addProduct>, 'minAmount' | 'maxAmount' | 'periods'>,
): Promise<Terms> {
  const book = readWorkbook(file)
  const words = await wordsInAll()
  const faults: TermsFault[] = []
  const places = placesOf(
    book.map(({ name }) => name),
    PARTS.map((part) => words(sheetKey(part))),
  )
  const read = (part: Part) =>
    sheetRows(part, book[places[PARTS.indexOf(part)] ?? -1], words, faults)
  const [quota, penalty, extend] = [read('quota'), read('penalty'), read('extend')]
  // ranges are checked together once each of them is valid by itself
  if (faults.length === 0) {
    checkQuota(quota, product, faults)
    range(
      penaltyFault(valuesOf(penalty) as Penalty),
      penalty,
      { from: 'dayFrom', to: 'dayTo', cap: 'capRatio' },
      'penalty',
      faults,
    )
  }
  if (faults.length > 0)
    throw new Problem(
      FILE_REFUSED,
      {},
      { fields: { [TERMS_FILE.name]: 'products:fault.template' }, rows: faults.slice(0, NAMED) },
    )
  return {
    quota: valuesOf(quota) as Quota,
    penalty: valuesOf(penalty) as Penalty,
    extend: (valuesOf(extend) as Extension[])[0] ?? null,
  }
}

/** Typed by the caller: each row was parsed with the schema of its part. */
function valuesOf(part: SheetRead): unknown {
  return part.rows.map(({ values }) => values)
}

interface SheetRead {
  rows: Read[]
  /** Letters of a column, by its name. */
  letters: Readonly<Record<string, string>>
}

/**
 * Positions of the wanted names: by name, else at the expected position if the name there is
 * unknown.
 * @returns -1 for a missing one
 */
function placesOf(names: readonly string[], wanted: readonly ReadonlySet<string>[]): number[] {
  const headers = names.map(plain)
  return wanted.map((own, i) => {
    const named = headers.findIndex((name) => own.has(name))
    if (named !== -1) return named
    const there = headers[i]
    return there === undefined || wanted.some((others) => others.has(there)) ? -1 : i
  })
}

function sheetRows(
  part: Part,
  sheet: Sheet | undefined,
  words: AllWords,
  faults: TermsFault[],
): SheetRead {
  const columns = COLUMNS[part]
  const fault = (row: number, column: string, why: string, params: TermsFault['params'] = {}) =>
    void faults.push({
      sheet: part,
      row,
      column,
      messageKey: why.includes(':') ? why : `products:sheet.fault.${why}`,
      params,
    })
  const [head, ...lines] = sheet?.rows ?? []
  if (head?.n !== 1) {
    fault(1, 'A', sheet === undefined ? 'noSheet' : 'noHead')
    return { rows: [], letters: {} }
  }
  const widest = Math.max(...head.cells.keys()) + 1
  const places = placesOf(
    Array.from({ length: widest }, (_, i) => head.cells.get(i)?.text ?? ''),
    columns.map((column) => words(columnKey(part, column))),
  )
  const letters = Object.fromEntries(
    columns.map(({ name }, i) => [
      name,
      columnLetters(places[i] === -1 ? i : (places[i] as number)),
    ]),
  )
  const missing = columns.filter((_, i) => places[i] === -1)
  for (const { name } of missing) fault(1, letters[name] as string, 'noColumn')
  if (missing.length > 0) return { rows: [], letters }
  const own = lines
    .map(({ n, cells }) => ({
      n,
      cells: new Map(columns.map(({ name }, i) => [name, cells.get(places[i] as number)])),
      all: cells,
    }))
    .filter(({ cells }) => [...cells.values()].some((cell) => cell !== undefined))
  const rows = own.filter(({ all, ...row }) => !isExample(row, columns, [...all.values()], words))
  const most = part === 'extend' ? 1 : MAX_RANGES
  const beyond = rows[most]
  if (beyond) fault(beyond.n, letters[columns[0]?.name ?? ''] ?? 'A', 'tooMany', { most })
  return {
    letters,
    rows: rows.slice(0, most).map(({ n, cells }) => {
      const values: Values = {}
      const unreadable = new Set<string>()
      for (const column of columns) {
        const value = valueOf(cells.get(column.name), column, words, values.feeType)
        if (typeof value === 'object' && value !== null) {
          fault(n, letters[column.name] as string, value.why)
          unreadable.add(column.name)
          values[column.name] = null
        } else values[column.name] = value
      }
      checkRow(part, values, unreadable, (name, why, params) =>
        fault(n, letters[name] as string, why, params),
      )
      return { n, values }
    }),
  }
}

/** Schema faults of a row: the first one per readable cell. */
function checkRow(
  part: Part,
  values: Values,
  unreadable: ReadonlySet<string>,
  fault: (name: string, why: string, params?: TermsFault['params']) => void,
): void {
  const seen = new Set(unreadable)
  for (const { keyword, instancePath, params } of CHECKS[part].Errors(values)) {
    const name = instancePath.slice(1)
    const column = COLUMNS[part].find((one) => one.name === name)
    if (column === undefined || seen.has(name)) continue
    seen.add(name)
    const { limit } = params as { limit?: number }
    if (values[name] === null) fault(name, 'ui:fault.required')
    else if ((keyword === 'minimum' || keyword === 'maximum') && limit !== undefined)
      fault(name, `ui:fault.${keyword}`, {
        limit: shownLimit(limit, kindOf(column, values.feeType)),
      })
    else fault(name, 'ui:fault.invalid')
  }
  if (part !== 'extend' || values.feeType !== 'rate') return
  for (const name of ['fee', 'commission'])
    if (!seen.has(name) && Number(values[name]) > 10_000) fault(name, 'products:fault.rate')
}

const kindOf = ({ kind }: Column, feeType: unknown) =>
  kind === 'either' ? (feeType === 'rate' ? 'percent' : 'money') : kind

function shownLimit(limit: number, kind: Column['kind']): string | number {
  if (kind === 'money') return formatPaise(limit)
  return kind === 'percent' ? formatBasisPoints(limit) : limit
}

/** A cell in the units of the API: paise, basis points, codes. */
function valueOf(
  cell: SheetCell | undefined,
  column: Column,
  words: AllWords,
  feeType: unknown,
): string | number | boolean | null | { why: string } {
  if (cell === undefined) return null
  if (cell.kind === 'formula') return { why: 'formula' }
  if (column.words) {
    const text = plain(cell.text)
    const code = Object.entries(column.words).find(
      ([one, key]) => plain(one) === text || words(key).has(text),
    )?.[0]
    // a check box is stored as 1 or 0
    const found = code ?? (column.name === 'enabled' ? { 1: 'true', 0: 'false' }[text] : undefined)
    if (found === undefined) return { why: 'word' }
    return column.name === 'enabled' ? found === 'true' : found
  }
  const kind = kindOf(column, feeType)
  if (kind === 'whole')
    return cell.kind === 'percent' || !/^-?\d{1,9}(?:\.0+)?$/.test(cell.text)
      ? { why: 'whole' }
      : Number(cell.text)
  if (cell.kind === 'percent' && kind !== 'percent') return { why: 'money' }
  if (cell.kind === 'text') return typed(cell.text, kind)
  const hundredths = Number(cell.text) * (cell.kind === 'percent' ? 10_000 : 100)
  const rounded = Math.round(hundredths)
  if (!Number.isSafeInteger(rounded)) return { why: kind }
  // floating point: spreadsheets store 0.07 inexactly
  return Math.abs(hundredths - rounded) > 1e-4 ? { why: 'decimals' } : rounded
}

/** Numbers typed as text: "₹15,000", "0.1 %". */
function typed(text: string, kind: Column['kind']): number | { why: string } {
  return parseRupees(kind === 'percent' ? text.replace(/\s*%$/, '') : text) ?? { why: kind }
}

/** The unchanged example row of the template. */
function isExample(
  { cells }: { cells: ReadonlyMap<string, SheetCell | undefined> },
  columns: readonly Column[],
  all: readonly SheetCell[],
  words: AllWords,
): boolean {
  if (!all.some(({ text }) => words(EXAMPLE_KEY).has(plain(text)))) return false
  return columns.every(({ name, words: set, example = '' }) => {
    const text = cells.get(name)?.text ?? ''
    return set === undefined
      ? text === example || (text !== '' && Number(text) === Number(example))
      : words(set[example] ?? '').has(plain(text))
  })
}

function checkQuota(
  read: SheetRead,
  { minAmount, maxAmount, periods }: { minAmount: number; maxAmount: number; periods: number },
  faults: TermsFault[],
): void {
  const quota = valuesOf(read) as Quota
  range(
    quotaFault(quota),
    read,
    { from: 'orderNoFrom', to: 'orderNoTo', cap: 'limit' },
    'quota',
    faults,
  )
  for (const [i, { limit, term }] of quota.entries()) {
    const at = (name: string, why: string) =>
      faults.push({
        sheet: 'quota',
        row: read.rows[i]?.n ?? 1,
        column: read.letters[name] ?? 'A',
        messageKey: `products:fault.${why}`,
        params: {},
      })
    if (limit < minAmount || limit > maxAmount) at('limit', 'limit')
    if (term > periods) at('term', 'term')
  }
}

function range(
  found: RangeFault | null,
  { rows, letters }: SheetRead,
  names: Record<RangeFault['part'], string>,
  sheet: Part,
  faults: TermsFault[],
): void {
  if (found !== null)
    faults.push({
      sheet,
      row: rows[found.at]?.n ?? 1,
      column: letters[names[found.part]] ?? 'A',
      messageKey: `products:sheet.fault.${found.part}`,
      params: {},
    })
}
