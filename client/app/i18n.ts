/**
 * Language of the console: cookie, else browser, else English. A namespace is one locale file and loads when a component
 * first asks for it; only the chosen language is fetched, so all seven files of a namespace must hold the same keys.
 */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from '#shared/kernel/languages.ts'
import { readCookie, writeCookie, YEAR } from './cookies.ts'

export const i18n = i18next

/** @param namespaces loaded before the first picture; @param wanted a language that goes before the cookie's */
export async function startI18n(
  namespaces: readonly string[] = ['session'],
  wanted: string | null = null,
): Promise<void> {
  const language = chooseLanguage(wanted, readCookie(LANGUAGE_COOKIE), ...navigator.languages)
  // Set before anything is awaited: calls under way at the start name the language too.
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
      // Problem ids are keys and hold no dot; React escapes.
      interpolation: { escapeValue: false },
      returnNull: false,
    })
}

/** Switches without reload: the files of all open namespaces load first, then texts change at once. */
export async function chooseAppLanguage(language: Language): Promise<void> {
  writeCookie(LANGUAGE_COOKIE, language, YEAR)
  await i18n.changeLanguage(language)
}

export function currentLanguage(): Language {
  return chooseLanguage(i18n.language)
}

interface LocaleFiles {
  readLocale(namespace: string): Promise<unknown>
}

async function readNamespace(language: string, namespace: string): Promise<unknown> {
  return readFile(language, namespace).catch(() => readFile('en', namespace))
}

/** The login asks for these two, the second one after its first picture; the tables of all files are not its to carry. A template over a relative path: esbuild makes one lazy chunk of each file it can mean. */
async function readFile(language: string, namespace: string): Promise<unknown> {
  if (namespace === 'session')
    return ((await import(`../../locales/${language}/session.json`)) as { default: unknown })
      .default
  if (namespace === 'problems')
    return ((await import(`../../locales/${language}/problems.json`)) as { default: unknown })
      .default
  return ((await import(`./locale-files/${language}.ts`)) as LocaleFiles).readLocale(namespace)
}
