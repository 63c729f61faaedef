/**
 * An uploaded workbook cell by cell, as Excel, LibreOffice and Google write it. A workbook is a zip
 * of XML parts (ECMA-376):
 *
 * workbook.xml names and order of the sheets ──► _rels/workbook.xml.rels the part of each
 * styles.xml which cells read as per cent sharedStrings.xml texts that cells name by number
 *
 * Nothing is computed: a formula is reported as one. What could act is refused, and so is XML with
 * declarations of its own.
 */
import { strFromU8, unzipSync } from 'fflate'
import { FILE_REFUSED, Problem } from '#shared/kernel/problem.ts'
import type { Upload } from './uploads.ts'

export interface SheetCell {
  text: string
  /** `percent`: 0.05 that reads 5 %. */
  kind: 'text' | 'number' | 'percent' | 'formula'
}

export interface SheetRow {
  /** As the spreadsheet counts them, from 1. */
  n: number
  /** From column 0; blank cells are left out. */
  cells: ReadonlyMap<number, SheetCell>
}

export interface Sheet {
  name: string
  /** Those that hold something. */
  rows: readonly SheetRow[]
}

const MOST_ENTRIES = 1_000
/** Unpacked, of all parts that are read. */
const MOST_BYTES = 8 * 1_048_576
const READ =
  /^xl\/(?:workbook|styles|sharedStrings|worksheets\/[\w-]{1,40})\.xml$|^xl\/_rels\/workbook\.xml\.rels$/
const ACTIVE = /vbaProject|macrosheets|activeX|embeddings|externalLinks/i

/**
 * @throws Problem G-FILE for what calls itself a workbook and cannot be read, and for one with
 * macros, objects or links to other files
 */
export function readWorkbook({ bytes, field }: Pick<Upload, 'bytes' | 'field'>): Sheet[] {
  const refused = (key: string) => new Problem(FILE_REFUSED, {}, { fields: { [field]: key } })
  const parts = new Map<string, string>()
  let acts = false
  try {
    let entries = 0
    let total = 0
    // a part that unpacks to more than its stated size is cut by the library
    const unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries += 1
        acts ||= ACTIVE.test(name)
        if (entries > MOST_ENTRIES) throw new RangeError('too many entries')
        if (!READ.test(name)) return false
        total += originalSize
        if (total > MOST_BYTES) throw new RangeError('too large')
        return true
      },
    })
    for (const [name, part] of Object.entries(unpacked)) parts.set(name, strFromU8(part))
  } catch {
    throw refused('ui:fault.sheet')
  }
  if (acts) throw refused('ui:fault.sheetActs')
  if ([...parts.values()].some((xml) => xml.includes('<!'))) throw refused('ui:fault.sheet')
  const targets = new Map(
    tagsOf(parts.get('xl/_rels/workbook.xml.rels'))
      .filter(({ name }) => name === 'Relationship')
      .map(({ attributes: { Id = '', Target = '' } }) => [Id, Target]),
  )
  const shared = textsOf(tagsOf(parts.get('xl/sharedStrings.xml')))
  const percent = percentStyles(tagsOf(parts.get('xl/styles.xml')))
  const sheets = tagsOf(parts.get('xl/workbook.xml'))
    .filter(({ name, isEnd }) => name === 'sheet' && !isEnd)
    .flatMap(({ attributes: { name = '', id = '' } }) => {
      const xml = parts.get(`xl/${(targets.get(id) ?? '').replace(/^\/?xl\//, '')}`)
      return xml === undefined ? [] : [{ name, rows: rowsOf(tagsOf(xml), shared, percent) }]
    })
  if (sheets.length === 0) throw refused('ui:fault.sheet')
  return sheets
}

interface Tag {
  /** Without its prefix. */
  name: string
  isEnd: boolean
  attributes: Readonly<Record<string, string>>
  /** Up to the next tag. */
  text: string
}

/**
 * Each step reads on from where the last one ended, and no part of it can be read in two ways: it
 * takes as long as the text is.
 */
const TAG = /<(\/?)([\w:.-]{1,60})(?![\w:.-])([^<>]*)>([^<]*)/g
const ATTRIBUTE = /([\w:.-]{1,60})=(?:"([^"]*)"|'([^']*)')/g

function tagsOf(xml = ''): Tag[] {
  const tags: Tag[] = []
  for (const [, slash, name = '', inside = '', text = ''] of xml.matchAll(TAG)) {
    const attributes = Object.fromEntries(
      [...inside.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [
        local(key),
        unescaped(double ?? single ?? ''),
      ]),
    )
    tags.push({ name: local(name), isEnd: slash === '/', attributes, text: unescaped(text) })
    if (inside.endsWith('/'))
      tags.push({ name: local(name), isEnd: true, attributes: {}, text: '' })
  }
  return tags
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([\dA-Fa-f]{1,6})|#(\d{1,7})|(\w{2,4}));/g,
    (whole, hex?: string, decimal?: string, name = '') => {
      if (hex === undefined && decimal === undefined) return ENTITIES[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Texts of the shared strings; how a word is pronounced is beside it and is no part of it. */
function textsOf(tags: readonly Tag[]): string[] {
  const texts: string[] = []
  let isSpoken = false
  for (const { name, isEnd, text } of tags) {
    if (name === 'si' && !isEnd) texts.push('')
    if (name === 'rPh') isSpoken = !isEnd
    if (name === 't' && !isEnd && !isSpoken) texts.push((texts.pop() ?? '') + text)
  }
  return texts
}

/** Places in `cellXfs` whose cells read as per cent. */
function percentStyles(tags: readonly Tag[]): ReadonlySet<number> {
  // 9 and 10 are built in: 0% and 0.00%
  const formats = new Set([
    '9',
    '10',
    ...tags
      .filter(({ name, attributes }) => name === 'numFmt' && attributes.formatCode?.includes('%'))
      .map(({ attributes }) => attributes.numFmtId),
  ])
  const begin = tags.findIndex(({ name, isEnd }) => name === 'cellXfs' && !isEnd)
  const end = tags.findIndex(({ name, isEnd }) => name === 'cellXfs' && isEnd)
  const styles =
    begin === -1 ? [] : tags.slice(begin, end).filter(({ name, isEnd }) => name === 'xf' && !isEnd)
  return new Set(
    styles.flatMap(({ attributes }, i) => (formats.has(attributes.numFmtId ?? '') ? [i] : [])),
  )
}

function rowsOf(
  tags: readonly Tag[],
  shared: readonly string[],
  percent: ReadonlySet<number>,
): SheetRow[] {
  const rows: SheetRow[] = []
  let n = 0
  let column = -1
  let cells = new Map<number, SheetCell>()
  let cell: { type: string; style: number; text: string; isFormula: boolean } | null = null
  let isSpoken = false
  for (const { name, isEnd, attributes, text } of tags) {
    if (name === 'row' && !isEnd) {
      n = whole(attributes.r) ?? n + 1
      column = -1
      cells = new Map()
    } else if (name === 'row') {
      if (cells.size > 0) rows.push({ n, cells })
    } else if (name === 'c' && !isEnd) {
      column = columnAt(attributes.r) ?? column + 1
      cell = {
        type: attributes.t ?? 'n',
        style: whole(attributes.s) ?? 0,
        text: '',
        isFormula: false,
      }
    } else if (name === 'c' && cell !== null) {
      const written = cell.type === 's' ? (shared[whole(cell.text) ?? -1] ?? '') : cell.text
      const value = written.trim()
      const isNumber = cell.type === 'n' && value !== ''
      if (cell.isFormula || cell.type === 'e') cells.set(column, { text: value, kind: 'formula' })
      else if (value !== '')
        cells.set(column, {
          text: value,
          kind: isNumber ? (percent.has(cell.style) ? 'percent' : 'number') : 'text',
        })
      cell = null
    } else if (name === 'rPh') isSpoken = !isEnd
    else if (cell !== null && !isEnd && name === 'f') cell.isFormula = true
    else if (cell !== null && !isEnd && (name === 'v' || (name === 't' && !isSpoken)))
      cell.text += text
  }
  return rows
}

const whole = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null

/** `AB12` → 27. */
function columnAt(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1]
  return letters === undefined
    ? null
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** 27 → `AB`, as the spreadsheet names its columns. */
export function columnLetters(column: number): string {
  return (
    (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) +
    String.fromCharCode(65 + (column % 26))
  )
}
