/** The template of product terms, filled as by a spreadsheet program. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

/** A number, a text, nothing, or the cell itself as XML. */
export type Filled = number | string | null | { xml: string }

const SHEETS = { quota: 1, penalty: 2, extend: 3 } as const

/** The rows below the header of the named sheets; the others keep their example. */
export function filled(
  template: Buffer,
  rows: Partial<Record<keyof typeof SHEETS, readonly (readonly Filled[])[]>>,
): Buffer {
  return changed(template, (parts) => {
    for (const [sheet, lines] of Object.entries(rows)) {
      const path = `xl/worksheets/sheet${SHEETS[sheet as keyof typeof SHEETS]}.xml`
      const written = lines
        .map(
          (line, i) =>
            `<row r="${i + 2}">${line.map((value, j) => cell(`${columnOf(j)}${i + 2}`, value)).join('')}</row>`,
        )
        .join('')
      parts[path] = strToU8(
        strFromU8(parts[path] as Uint8Array).replace(
          /(<sheetData><row>.*?<\/row>).*(<\/sheetData>)/s,
          `$1${written}$2`,
        ),
      )
    }
  })
}

export function changed(
  workbook: Buffer,
  change: (parts: Record<string, Uint8Array>) => void,
): Buffer {
  const parts = unzipSync(workbook)
  change(parts)
  return Buffer.from(zipSync(parts))
}

function cell(at: string, value: Filled): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.xml.replace('<c', `<c r="${at}"`)
  return typeof value === 'number'
    ? `<c r="${at}"><v>${value}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
}

/** In two runs, with a phonetic reading that is not part of the text. */
function richText(text: string): string {
  const rest = `<r><rPr><b/></rPr><t xml:space="preserve">${text.slice(1)}</t></r>`
  return `<si><r><t>${text.slice(0, 1)}</t></r>${rest}<rPh sb="0" eb="1"><t>spoken</t></rPh></si>`
}

function columnOf(index: number): string {
  return String.fromCharCode(65 + index)
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/**
 * As Excel saves it: shared strings by index, sheet parts in another order than the sheets, a
 * percentage as a fraction with a format.
 */
export function asExcel(
  sheets: readonly { name: string; rows: readonly (readonly Filled[])[] }[],
): Buffer {
  const texts: string[] = []
  const shared = (text: string) => `<c t="s"><v>${texts.push(text) - 1}</v></c>`
  const parts = Object.fromEntries(
    sheets.map(({ rows }, i) => [
      `xl/worksheets/sheet${sheets.length - i}.xml`,
      `<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:sheetData>${rows
        .map(
          (row, n) =>
            `<x:row r="${n + 1}">${row
              .map((value, j) =>
                cell(
                  `${columnOf(j)}${n + 1}`,
                  typeof value === 'string' ? { xml: shared(value) } : value,
                ),
              )
              .join('')
              .replace(/<(\/?)(\w)/g, '<$1x:$2')}</x:row>`,
        )
        .join('')}</x:sheetData></x:worksheet>`,
    ]),
  )
  const entries = sheets.map(
    ({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  )
  const relations = sheets.map((_, i) => {
    const target = `/xl/worksheets/sheet${sheets.length - i}.xml`
    return `<Relationship Target="${target}" Type="${TYPE}/worksheet" Id="rId${i + 1}"/>`
  })
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="${TYPE}"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="0.000%"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
      '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map(richText).join('')}</sst>`,
    ...parts,
  }
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  )
}
