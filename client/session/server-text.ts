/**
 * Titles arrive from the server as i18n keys; an unknown namespace or key shows the name instead.
 */
import { hasText } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { useSession } from '#client/session/session-store.ts'
import type { MenuIndex } from '#client/session/menu.ts'

export type ServerText = (key: string, otherwise: string) => string

/** Loads the namespaces used by the menu's titles; the texts follow the language. */
export function useServerText(): ServerText {
  const { index } = useSession()
  const t = useText(...namespacesOf(index))
  return (key, otherwise) => (hasText(key) ? t(key) : otherwise)
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
