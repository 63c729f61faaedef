/** The workbook of a product's terms: a sheet for each part that has ranges or a form of its own, its columns, their words in every language. */
import { LANGUAGES, type Language } from '#shared/kernel/languages.ts'
import { CUSTOMER_CLASSES } from '#shared/products/product-terms.ts'
import { FEE_TYPES } from '#shared/products/products-api.ts'
import { localeFile, type Words } from '#gateway/manage/features/system/public.ts'

export const PARTS = ['quota', 'penalty', 'extend'] as const
export type Part = (typeof PARTS)[number]

/** `money` in rupees, `percent` in per cent, `either` as the kind of fee says, `word` one of a set. */
export interface Column {
  name: string
  kind: 'whole' | 'money' | 'percent' | 'either' | 'word'
  /** Code → key of its word. */
  words?: Readonly<Record<string, string>>
  /** What the example row says; absent = nothing. */
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
/** Beside the example: as long as it stands there and nothing else was changed, the row says nothing. */
export const NOTE_KEY = 'products:sheet.note'
export const EXAMPLE_KEY = 'products:sheet.example'

export type Say = (key: string) => string

/** Words of one language, by key. */
export async function wordsIn(language: Language): Promise<Say> {
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

/** A word as it is looked for: however it is spaced or written large. */
export const plain = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** What a key reads in any of the languages. */
export async function wordsInAll(): Promise<(key: string) => ReadonlySet<string>> {
  const all = await Promise.all(LANGUAGES.map(wordsIn))
  return (key) => new Set(all.map((say) => plain(say(key))))
}
