/**
 * Language of the console: the cookie, else the browser, else English. A namespace is one locale
 * file and loads when a component first needs it. Only the selected language is loaded, so the
 * files of a namespace must have the same keys in all seven languages.
 */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from '#shared/kernel/languages.ts'
import { readCookie, writeCookie, YEAR } from './cookies.ts'
import { loadPart } from './load-part.ts'
import type { Checked, FullKeysOf, Namespace } from './text-keys.ts'

export const i18n = i18next

let haveTexts: () => void = () => {}
/** Until then a key has no text. */
export const textsReady = new Promise<void>((resolve) => (haveTexts = resolve))

/**
 * @param namespaces loaded before the first render
 * @param wanted a language that overrides the cookie
 */
export async function startI18n(
  namespaces: readonly string[] = ['session'],
  wanted: string | null = null,
): Promise<void> {
  const language = chooseLanguage(wanted, readCookie(LANGUAGE_COOKIE), ...navigator.languages)
  // Set before the first await, so that calls made during the start send the right language too.
  document.documentElement.lang = language
  i18n.on('languageChanged', (now) => {
    document.documentElement.lang = now
  })
  await i18n
    .use(initReactI18next)
    .use({
      type: 'backend',
      read: (lang: string, namespace: string) => readNamespace(lang, namespace),
    } as never)
    .init({
      lng: language,
      fallbackLng: false,
      ns: [...namespaces],
      defaultNS: 'session',
      // Problem ids are keys and contain no dot; React escapes the values.
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  haveTexts()
}

/**
 * Switches the language without a reload: the files of all loaded namespaces load first, then all
 * texts change together.
 */
export async function chooseAppLanguage(language: Language): Promise<void> {
  writeCookie(LANGUAGE_COOKIE, language, YEAR)
  await i18n.changeLanguage(language)
}

export function currentLanguage(): Language {
  return chooseLanguage(i18n.language)
}

/** Whether the loaded texts have the key, which names its namespace; with `count`, its plural. */
export function hasText(key: string, params: { count?: number } = {}): boolean {
  return i18n.exists(key, params)
}

/**
 * The text of a key with its namespace, outside of a component; the namespace must be loaded. A key
 * that no English file has does not compile, one that is a `string` is not checked.
 */
export function translate<Key extends string>(
  key: Key & Checked<Key, FullKeysOf<Namespace>>,
  params: Record<string, unknown> = {},
): string {
  return i18n.t(key, params)
}

interface LocaleFiles {
  readLocale(namespace: string): Promise<unknown>
}

async function readNamespace(language: string, namespace: string): Promise<unknown> {
  return loadPart(() => readFile(language, namespace)).catch(() => readFile('en', namespace))
}

/**
 * The two namespaces of the login page (the second loads after its first render) are imported
 * directly, so that the login does not load the tables of all files. The template uses a relative
 * path: esbuild makes one lazy chunk of each file it can match.
 */
async function readFile(language: string, namespace: string): Promise<unknown> {
  if (namespace === 'session')
    return ((await import(`../../locales/${language}/session.json`)) as { default: unknown })
      .default
  if (namespace === 'problems')
    return ((await import(`../../locales/${language}/problems.json`)) as { default: unknown })
      .default
  return ((await import(`./locale-files/${language}.ts`)) as LocaleFiles).readLocale(namespace)
}
