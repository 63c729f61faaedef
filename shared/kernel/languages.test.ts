import { expect, test } from 'vitest'
import { chooseLanguage, isLanguage, LANGUAGE_NAMES, LANGUAGES } from './languages.ts'

test('the seven languages of the specification have a name', () => {
  expect(LANGUAGES).toEqual(['en', 'zh', 'es', 'ja', 'vi', 'id', 'th'])
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES])
})

test('the cookie takes precedence over the browser, and the browser over English', () => {
  expect(chooseLanguage('th', 'es')).toBe('th')
  expect(chooseLanguage(undefined, 'es')).toBe('es')
  expect(chooseLanguage(null, '')).toBe('en')
  expect(chooseLanguage()).toBe('en')
})

test('an unsupported candidate is skipped', () => {
  expect(chooseLanguage('de', 'fr-FR', 'ja')).toBe('ja')
  expect(chooseLanguage('de')).toBe('en')
})

test('a region or script counts as its language, in any case', () => {
  expect(chooseLanguage('zh-CN')).toBe('zh')
  expect(chooseLanguage('ZH_Hant_TW')).toBe('zh')
  expect(chooseLanguage('en-IN')).toBe('en')
})

test('only a supported code is a language', () => {
  expect(isLanguage('vi')).toBe(true)
  for (const other of ['VI', 'de', '', null, 7, ['en']]) expect(isLanguage(other)).toBe(false)
})
