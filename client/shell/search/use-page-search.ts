import { useEffect, useState } from 'react'
import { useLanguage } from '#client/base/use-text.ts'
import { useSession } from '#client/session/session-store.ts'
import { usePreferences } from '#client/base/preferences.ts'
import { useServerText } from '#client/session/server-text.ts'
import { type FindablePage, pageSearchOf, type PageSearch } from './page-search.ts'

/** All visible pages of the session's menu, in menu order and in the user's language. */
export function useFindablePages(): FindablePage[] {
  const { index } = useSession()
  const text = useServerText()
  return [...index.pages.values()]
    .filter((page) => !page.hidden)
    .map((page) => ({
      name: page.name,
      path: page.path,
      title: text(page.title, page.name),
      trail: page.trail.slice(0, -1).map((step) => text(step.title, step.name)),
    }))
}

/** The results for the text, once the search has loaded. */
export function usePageSearch(text: string): FindablePage[] {
  const language = useLanguage()
  const { pinyinSearch } = usePreferences()
  const pages = useFindablePages()
  const [search, setSearch] = useState<PageSearch | null>(null)
  // The pages are a new array on every render; their content rarely changes.
  const shape = JSON.stringify(pages)
  const withPinyin = pinyinSearch && language.startsWith('zh')
  useEffect(() => {
    let gone = false
    void pageSearchOf(JSON.parse(shape) as FindablePage[], withPinyin).then(
      (made) => gone || setSearch(() => made),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [shape, withPinyin])
  return search ? search(text) : []
}
