/**
 * The seven languages of the console; the choice is cookie, else browser, else English.
 */
export const LANGUAGES = ['en', 'zh', 'es', 'ja', 'vi', 'id', 'th'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  zh: '中文',
  es: 'Español',
  ja: '日本語',
  vi: 'Tiếng Việt',
  id: 'Bahasa Indonesia',
  th: 'ไทย',
}
export const LANGUAGE_COOKIE = 'language'

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && (LANGUAGES as readonly string[]).includes(value)
}

/** First supported language among the candidates (`zh-CN` counts as `zh`), else English. */
export function chooseLanguage(...candidates: (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const short = candidate?.toLowerCase().split(/[-_]/)[0]
    if (isLanguage(short)) return short
  }
  return 'en'
}
