import type { Language } from '#shared/kernel/languages.ts'
import { localeFile, type Words } from './locale-file.ts'

/** What a reader of this language calls the product's own parameters, by their code: it is their path in the locale file. */
export async function parameterWords(language: Language): Promise<Record<string, string>> {
  const { name = {} } = await localeFile(language, 'parameters')
  return Object.fromEntries(typeof name === 'string' ? [] : wordsAt(name))
}

function wordsAt(words: Words, at = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, inner]) => (typeof inner === 'string' ? [[at + name, inner] as [string, string]] : wordsAt(inner, `${at}${name}.`)))
}
