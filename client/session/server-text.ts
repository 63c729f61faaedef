/** Titles arrive from the server as keys of texts; one without a text shows the name instead. */
import { hasText } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'

export type ServerText = (key: string, otherwise: string) => string

/** The titles of all pages are one file, which loads with the frame; the texts follow the language. */
export function useServerText(): ServerText {
  const t = useText('menu', 'shell', 'session')
  return (key, otherwise) => (hasText(key) ? t(key) : otherwise)
}
