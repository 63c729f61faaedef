/**
 * The terms workbook: one sheet per part with ranges or its own form, its columns and their labels.
 */
import { LANGUAGES, type Language } from '#shared/kernel/languages.ts'
import { CUSTOMER_CLASSES } from '#shared/products/product-terms.ts'
import { FEE_TYPES } from '#shared/products/products-api.ts'
import { localeFile, type Words } from '#gateway/manage/features/system/public.ts'

export const PARTS = ['quota', 'penalty', 'extend'] as const
export type Part = (typeof PARTS)[number]

/**
 * `money` in rupees, `percent` in per cent, `either` by the kind of fee, `word` from a closed set.
 */
export interface Column {
  name: string
  kind: 'whole' | 'money' | 'percent' | 'either' | 'word'
  /** Code → i18n key of its label. */
  words?: Readonly<Record<string, string>>
  /** Value in the example row; absent = empty. */
  example?: string
}

const keysOf = (codes: readonly string[], at: string): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [code, `${at}.${code}`]))

export const COLUMNS: Readonly<Record<Part, readonly Column[]>> = {
  quota: [
    {
      name: 'customerClass',
      kind: 'word',
      words: keysOf(CUSTOMER_CLASSES, 'products:class'),
      example: 'new',
    },
    { name: 'orderNoFrom', kind: 'whole', example: '1' },
    { name: 'orderNoTo', kind: 'whole' },
    { name: 'limit', kind: 'money', example: '15000' },
    { name: 'term', kind: 'whole', example: '1' },
  ],
  penalty: [
    { name: 'dayFrom', kind: 'whole', example: '1' },
    { name: 'dayTo', kind: 'whole' },
    { name: 'rate', kind: 'percent', example: '0.10' },
    { name: 'capRatio', kind: 'percent', example: '50' },
  ],
  extend: [
    { name: 'enabled', kind: 'word', words: { true: 'ui:yes', false: 'ui:no' }, example: 'true' },
    { name: 'days', kind: 'whole', example: '7' },
    {
      name: 'feeType',
      kind: 'word',
      words: keysOf(FEE_TYPES, 'products:extend.type'),
      example: 'rate',
    },
    { name: 'fee', kind: 'either', example: '4' },
    { name: 'commission', kind: 'either', example: '0.50' },
    { name: 'maxTimes', kind: 'whole', example: '2' },
  ],
}

export const sheetKey = (part: Part): string => `products:action.${part}`
export const columnKey = (part: Part, { name }: Column): string => `products:sheet.${part}.${name}`
/** Note beside the example row: while note and values are unchanged, the row is ignored. */
export const NOTE_KEY = 'products:sheet.note'
export const EXAMPLE_KEY = 'products:sheet.example'

export type Translate = (key: string) => string

/** Labels of one language, by key. */
export async function wordsIn(language: Language): Promise<Translate> {
  const files: Record<string, Words> = Object.fromEntries(
    await Promise.all(
      ['products', 'ui'].map(async (name) => [name, await localeFile(language, name)] as const),
    ),
  )
  return (key) => {
    const [file = '', path = ''] = key.split(':')
    const found = path
      .split('.')
      .reduce<Words | string | undefined>(
        (at, name) => (typeof at === 'object' ? at[name] : undefined),
        files[file],
      )
    return typeof found === 'string' ? found : key
  }
}

/** Normalises a label for matching: spacing and case are ignored. */
export const plain = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** The label of a key in each language. */
export async function wordsInAll(): Promise<(key: string) => ReadonlySet<string>> {
  const all = await Promise.all(LANGUAGES.map(wordsIn))
  return (key) => new Set(all.map((translate) => plain(translate(key))))
}
