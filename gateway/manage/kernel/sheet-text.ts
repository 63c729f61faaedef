/** The words of an uploaded sheet, cell by cell: what a list of ids is read from. Formulas, styles and links are not looked at. */
import { strFromU8, unzipSync } from 'fflate'
import { FILE_REFUSED, Problem } from '#shared/kernel/problem.ts'
import type { Upload } from './uploads.ts'

/** Of one part of a workbook, unpacked: far more than any list of ids needs. */
const MOST_BYTES = 20 * 1_048_576
const PART = /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** @returns one cell a line @throws Problem G-FILE for a file that calls itself a workbook and cannot be read */
export function sheetText({ bytes, kind }: Pick<Upload, 'bytes' | 'kind'>, field: string): string {
  if (kind !== 'xlsx') return bytes.toString('utf8')
  try {
    // a part that unpacks to more than it says is cut by the library, one that says too much is passed over
    const parts = unzipSync(bytes, { filter: ({ name, originalSize }) => PART.test(name) && originalSize <= MOST_BYTES })
    return Object.values(parts).flatMap((part) => cellsOf(strFromU8(part))).join('\n')
  } catch {
    throw new Problem(FILE_REFUSED, {}, { fields: { [field]: 'ui:fault.invalid' } })
  }
}

/** Texts stand in `t`; a bare number would be in `v`, beside the places of shared texts, and is no id. */
function cellsOf(xml: string): string[] {
  return [...xml.matchAll(/<t(?:\s[^>]*)?>([^<]*)<\/t>/g)].map(([, text = '']) => text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? ' '))
}
