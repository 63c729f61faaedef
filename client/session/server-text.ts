/**
 * Titles arrive from the server as i18n keys; an unknown namespace or key shows the name instead.
 */
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/base/i18n.ts'
import { useSession } from '#client/session/session-store.ts'
import type { MenuIndex } from '#client/session/menu.ts'

export type ServerText = (key: string, otherwise: string) => string

/** Loads the namespaces used by the menu's titles; the texts follow the language. */
export function useServerText(): ServerText {
  const { index } = useSession()
  const { t } = useTranslation(namespacesOf(index) as never)
  const translate = t as unknown as (key: string) => string
  return (key, otherwise) => (i18n.exists(key) ? translate(key) : otherwise)
}

const cached = new WeakMap<MenuIndex, string[]>()

function namespacesOf(index: MenuIndex): string[] {
  let names = cached.get(index)
  if (!names) {
    const titles = [...index.pages.values()].flatMap((page) => page.trail.map((step) => step.title))
    names = [
      ...new Set([
        'shell',
        'session',
        ...titles
          .filter((title) => title.includes(':'))
          .map((title) => title.slice(0, title.indexOf(':'))),
      ]),
    ]
    cached.set(index, names)
  }
  return names
}
