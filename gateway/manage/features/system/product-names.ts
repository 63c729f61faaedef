/** Names of built-in parameters and code tables in a language, by code. */
import type { Language } from '#shared/kernel/languages.ts'
import { localeFile, type Words } from './locale-file.ts'

type Names = Readonly<Record<string, string>>

/** A code is the path in the file: `session.max`. */
export async function parameterNames(language: Language): Promise<Names> {
  return namesAt(await localeFile(language, 'parameters'), ['name'])
}

export async function tableNames(language: Language): Promise<Names> {
  return namesAt(await localeFile(language, 'system'), ['dict', 'table'])
}

function namesAt(words: Words | string | undefined, [first, ...rest]: readonly string[]): Names {
  if (words === undefined || typeof words === 'string') return {}
  return first === undefined ? Object.fromEntries(flat(words)) : namesAt(words[first], rest)
}

function flat(words: Words, at = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, inner]) =>
    typeof inner === 'string'
      ? [[at + name, inner] as [string, string]]
      : flat(inner, `${at}${name}.`),
  )
}
