/**
 * Titles arrive from the server as i18n keys; an unknown namespace or key shows the name instead.
 */
import { hasText } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import type { MenuIndex } from '#client/session/menu.ts'

export type ServerText = (key: string, otherwise: string) => string

/** The texts follow the language. */
export function useServerText(): ServerText {
  const t = useText('shell')
  return (title, otherwise) => {
    const key = frameKey(title)
    return hasText(key) ? t(key) : otherwise
  }
}

/**
 * Where the frame's file has the title of a menu or a record: it must not wait for the texts of all
 * features (`frameTitles` of the build).
 */
export function frameKey(title: string): string {
  return title.startsWith('shell:') ? title : `shell:titles.${title.replace(':', '.')}`
}

/** Namespaces of a menu's features: what their screens show of each other loads with the frame. */
export function featuresOf(index: MenuIndex): string[] {
  return [
    ...new Set(
      [...index.pages.values()].flatMap(({ trail }) =>
        trail.flatMap(({ title }) =>
          title.includes(':') ? title.slice(0, title.indexOf(':')) : [],
        ),
      ),
    ),
  ]
}
