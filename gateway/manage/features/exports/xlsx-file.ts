/**
 * A minimal workbook that every spreadsheet opens: sheets with a frozen bold header; numbers, days
 * and times are typed; all texts are inline and never formulas. A workbook is a zip of a few XML
 * parts (ECMA-376).
 */
import { strToU8, zipSync } from 'fflate'
import { withoutFormula } from '#shared/kernel/safe-cell.ts'
import type { Cell } from './export-cells.ts'

export const XLSX_MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The earliest time of the zip format, so that the same content gives the same bytes. */
const SAME_TIME = new Date(1980, 0, 1)
/** Indexes into `cellXfs` of the style part. */
const STYLES = { plain: 0, head: 1, day: 2, time: 3, hundredths: 4 } as const
const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet for days from 1 March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OPENXML = 'application/vnd.openxmlformats'
const SPREADSHEET = `${OPENXML}-officedocument.spreadsheetml`
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

export function xlsxLine(cells: readonly Cell[], isHead = false): string {
  return `<row>${cells.map((cell) => xlsxCell(cell, isHead)).join('')}</row>`
}

/** @param title name of the sheet @param widths of the columns, in characters */
export function xlsxFile(
  title: string,
  lines: readonly string[],
  widths: readonly number[],
): Buffer {
  return xlsxBook([{ title, lines, widths }])
}

export interface XlsxSheet {
  title: string
  lines: readonly string[]
  /** Of the columns, in characters. */
  widths: readonly number[]
  /** Suggestions below the header: column index → values. Other values can be typed. */
  choices?: Readonly<Record<number, readonly string[]>>
}

export function xlsxBook(sheets: readonly XlsxSheet[]): Buffer {
  const numbers = sheets.map((_, i) => i + 1)
  const each = (part: (n: number) => string) => numbers.map(part).join('')
  const parts = {
    '[Content_Types].xml': [
      `${XML}<Types xmlns="${PACKAGE}/content-types">`,
      `<Default Extension="rels" ContentType="${OPENXML}-package.relationships+xml"/>`,
      '<Default Extension="xml" ContentType="application/xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>`,
      each(
        (n) =>
          `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>`,
      ),
      `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`,
    ],
    '_rels/.rels': [
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">`,
      `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>`,
      '</Relationships>',
    ],
    'xl/workbook.xml': [
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
      ...sheets.map(
        ({ title }, i) =>
          `<sheet name="${escaped(sheetName(title))}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
      ),
      '</sheets></workbook>',
    ],
    'xl/_rels/workbook.xml.rels': [
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">`,
      each(
        (n) =>
          `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ),
      `<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/>`,
      '</Relationships>',
    ],
    'xl/styles.xml': [
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2">`,
      '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>',
      '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>',
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
      '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
      '<fills count="2"><fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders count="1"><border/></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
      '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
      '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
      '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
      '</cellXfs></styleSheet>',
    ],
    ...Object.fromEntries(
      sheets.map((sheet, i) => [`xl/worksheets/sheet${i + 1}.xml`, [worksheet(sheet)]]),
    ),
  }
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, texts]) => [name, strToU8(texts.join(''))]),
      ),
      { mtime: SAME_TIME },
    ),
  )
}

function worksheet({ lines, widths, choices = {} }: XlsxSheet): string {
  const columns = widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const offered = Object.entries(choices).map(([column, words]) => {
    const letter = String.fromCharCode(65 + Number(column))
    const formula = `<formula1>"${escaped(words.join(','))}"</formula1>`
    const range = `${letter}2:${letter}1000`
    return `<dataValidation type="list" allowBlank="1" sqref="${range}">${formula}</dataValidation>`
  })
  const validations =
    offered.length === 0
      ? ''
      : `<dataValidations count="${offered.length}">${offered.join('')}</dataValidations>`
  return [
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    `</sheetView></sheetViews><cols>${columns}</cols>`,
    `<sheetData>${lines.join('')}</sheetData>${validations}</worksheet>`,
  ].join('')
}

function xlsxCell({ text, kind }: Cell, isHead: boolean): string {
  if (text === '') return '<c/>'
  if (kind === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text))
    return `<c s="${text.includes('.') ? STYLES.hundredths : STYLES.plain}"><v>${text}</v></c>`
  if (kind === 'day' || kind === 'time')
    return `<c s="${STYLES[kind]}"><v>${serialOf(text)}</v></c>`
  const style = isHead ? STYLES.head : STYLES.plain
  const inline = `<t xml:space="preserve">${escaped(withoutFormula(text))}</t>`
  return `<c t="inlineStr" s="${style}"><is>${inline}</is></c>`
}

/** Days since day 0. Times in a spreadsheet have no zone, so IST is written. */
function serialOf(text: string): number {
  return (
    (Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? ':00' : 'T00:00:00'}Z`) - DAY_ZERO) /
    DAY_MS
  )
}

/** At most 31 characters, without those that have a meaning in references. */
function sheetName(title: string): string {
  return (
    title
      .replace(/[\\/?*[\]:']/g, ' ')
      .trim()
      .slice(0, 31) || 'Sheet1'
  )
}

/** Control characters and lone surrogates. */
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string)
}
