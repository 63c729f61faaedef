/**
 * Scripts that the requested page will import. They depend on its address, on the language, and on
 * whether the browser has a session: only then it loads the frame. An answer holds nothing of the
 * session itself.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage, LANGUAGE_COOKIE } from '#shared/kernel/languages.ts'
import { type FirstShown, type Preloads, TOKEN_COOKIE } from '#shared/kernel/preloads.ts'

/** Pages without a session of their own, and the form itself. */
const WITHOUT_FRAME = new Set(['/login', '/auth-redirect'])
const HOME = new Set(['/', '/index.html', '/home_page'])

/** @returns elements for the head of the page, or '' when the build has no list */
export function preloadLinks(
  preloads: Preloads | null,
  path: string,
  headers: IncomingHttpHeaders,
): string {
  if (preloads === null) return ''
  const cookies = new Map(
    (headers.cookie ?? '').split(/; */).map((one) => {
      const at = one.indexOf('=')
      return [one.slice(0, at), one.slice(at + 1)]
    }),
  )
  const languages = (headers['accept-language'] ?? '')
    .split(',')
    .map((one) => one.split(';')[0]?.trim())
  const language = chooseLanguage(cookies.get(LANGUAGE_COOKIE), ...languages)
  const shown: FirstShown =
    !cookies.get(TOKEN_COOKIE) || WITHOUT_FRAME.has(path)
      ? 'login'
      : HOME.has(path)
        ? 'home'
        : 'list'
  const screen =
    shown !== 'login' && Object.hasOwn(preloads.screens, path) ? preloads.screens[path] : undefined
  const files = [
    ...preloads.first[language][shown],
    ...(screen === undefined ? [] : [...screen.texts[language], ...screen.files]),
  ]
  // low: what the page shows first, and the answer of its session, must not wait for them
  return [...new Set(files)]
    .map((file) => `<link rel="modulepreload" fetchpriority="low" href="${file}">`)
    .join('\n')
}
