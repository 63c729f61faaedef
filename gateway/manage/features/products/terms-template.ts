/**
 * Writes the template for a new product's terms in the reader's language, with an example per
 * sheet.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { productTemplate as call } from '#shared/products/products-api.ts'
import { XLSX_MIME, xlsxBook, xlsxLine } from '#gateway/manage/features/exports/public.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import {
  type Column,
  columnKey,
  COLUMNS,
  EXAMPLE_KEY,
  NOTE_KEY,
  PARTS,
  type Translate,
  sheetKey,
  wordsIn,
} from './terms-sheets.ts'

export async function termsTemplate({
  language = 'en',
}: InputOf<typeof call>): Promise<FileAnswer> {
  const translate = await wordsIn(language)
  const sheets = PARTS.map((part) => {
    const columns = COLUMNS[part]
    const heads = [
      ...columns.map((column) => translate(columnKey(part, column))),
      translate(NOTE_KEY),
    ]
    const example = [
      ...columns.map((column) => exampleOf(column, translate)),
      { text: translate(EXAMPLE_KEY), kind: 'text' as const },
    ]
    return {
      title: translate(sheetKey(part)),
      lines: [
        xlsxLine(
          heads.map((text) => ({ text, kind: 'text' })),
          true,
        ),
        xlsxLine(example),
      ],
      widths: heads.map((head, i) =>
        Math.max(12, head.length + 4, (example[i]?.text.length ?? 0) + 2),
      ),
      choices: Object.fromEntries(
        columns.flatMap(({ words }, i) =>
          words === undefined ? [] : [[i, Object.values(words).map(translate)]],
        ),
      ),
    }
  })
  return new FileAnswer(XLSX_MIME, xlsxBook(sheets), 'product-terms.xlsx')
}

function exampleOf({ kind, words, example = '' }: Column, translate: Translate) {
  return {
    text: words === undefined ? example : translate(words[example] ?? ''),
    kind: kind === 'word' ? ('text' as const) : ('number' as const),
  }
}
