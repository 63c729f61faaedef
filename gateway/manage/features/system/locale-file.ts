import type { Language } from '#shared/kernel/languages.ts'

export interface Words {
  readonly [name: string]: string | Words
}

/**
 * The console's own texts. A template with a relative path: the build makes one chunk per possible
 * file, loaded on demand.
 */
export async function localeFile(language: Language, namespace: string): Promise<Words> {
  return (
    (await import(`../../../../locales/${language}/${namespace}.json`, {
      with: { type: 'json' },
    })) as { default: Words }
  ).default
}
