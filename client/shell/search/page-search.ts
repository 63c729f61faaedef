/**
 * Finds pages of the menu by title, with fuzzy matching and, in Chinese, by pinyin. Both libraries
 * load with the first search.
 */
import type Fuse from 'fuse.js'

export interface FindablePage {
  name: string
  path: string
  title: string
  /** Titles of its parent groups. */
  trail: readonly string[]
}

export type PageSearch = (text: string) => FindablePage[]

const THRESHOLD = 0.4
const WEIGHTS = { title: 0.7, pinyin: 0.3, path: 0.3 } as const
const MOST = 10

/** @param withPinyin titles are Chinese and may be typed as pinyin, in full or by initials */
export async function pageSearchOf(
  pages: readonly FindablePage[],
  withPinyin: boolean,
): Promise<PageSearch> {
  const [{ default: Search }, sound] = await Promise.all([
    import('fuse.js'),
    withPinyin ? soundOf() : null,
  ])
  const entries = pages.map((page) => ({ ...page, pinyin: sound ? sound(page.title) : '' }))
  const index: Fuse<(typeof entries)[number]> = new Search(entries, {
    threshold: THRESHOLD,
    keys: Object.entries(WEIGHTS).map(([name, weight]) => ({ name, weight })),
  })
  return (text) =>
    text.trim() === ''
      ? []
      : index
          .search(text.trim(), { limit: MOST })
          .map(({ item: { pinyin: _sound, ...page } }) => page)
}

async function soundOf(): Promise<(title: string) => string> {
  const { pinyin } = await import('pinyin-pro')
  return (title) => {
    const syllables = pinyin(title, { toneType: 'none', type: 'array' })
    return `${syllables.join('')} ${syllables.map((one) => one[0] ?? '').join('')}`
  }
}
