import type { Language } from '#shared/kernel/languages.ts'

export interface Words {
  readonly [name: string]: string | Words
}

/** The words of the console itself. A template over a relative path: the build makes one chunk of each file it can mean, read when it is asked for. */
export async function localeFile(language: Language, namespace: string): Promise<Words> {
  return (
    (await import(`../../../../locales/${language}/${namespace}.json`, {
      with: { type: 'json' },
    })) as { default: Words }
  ).default
}
