import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ACCOUNT_DISABLED } from '#shared/session/session-problems.ts'

const ROOT = new URL('../../locales/', import.meta.url)
const NAMESPACES = ['session', 'shell', 'live', 'problems'] as const

type Texts = { [key: string]: string | Texts }

function read(language: string, namespace: string): Map<string, string> {
  const flat = new Map<string, string>()
  const walk = (texts: Texts, before: string) => {
    for (const [key, text] of Object.entries(texts)) typeof text === 'string' ? flat.set(before + key, text) : walk(text, `${before}${key}.`)
  }
  walk(JSON.parse(readFileSync(new URL(`${language}/${namespace}.json`, ROOT), 'utf8')) as Texts, '')
  return flat
}

/** Plural forms differ by language; a text counts by what it is about. */
const stem = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '')
const places = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((m) => m[1]).sort()

for (const namespace of NAMESPACES) {
  test(`${namespace} has the same texts in all languages, with the same places and no empty one`, () => {
    const english = read('en', namespace)
    const stems = [...new Set([...english.keys()].map(stem))].sort()
    for (const language of LANGUAGES) {
      const own = read(language, namespace)
      expect([...new Set([...own.keys()].map(stem))].sort(), language).toEqual(stems)
      for (const [key, text] of own) {
        expect(text.trim(), `${language} ${key}`).not.toBe('')
        const original = english.get(key)
        if (original !== undefined) expect(places(text), `${language} ${key}`).toEqual(places(original))
      }
    }
  })
}

test('every problem a call can answer has a text', async () => {
  const texts = read('en', 'problems')
  const shared = new URL('../../shared/', import.meta.url)
  const files = readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((file) => /-problems\.ts$|kernel[\\/]problem\.ts$/.test(file))
  const ids = files.flatMap((file) => [...readFileSync(new URL(file.replaceAll('\\', '/'), shared), 'utf8').matchAll(/\bid: '([A-Z0-9-]+)'/g)].map((m) => m[1] as string))
  expect(ids).toContain(ACCOUNT_DISABLED.id)
  expect(ids.filter((id) => !texts.has(id))).toEqual([])
})
