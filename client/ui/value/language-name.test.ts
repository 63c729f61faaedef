import { expect, test } from 'vitest'
import { languageName } from './language-name.ts'

test.each([
  ['hi', 'en', 'Hindi'],
  ['ta', 'zh', '泰米尔语'],
  ['hi', 'th', 'ฮินดี'],
  ['hi-IN', 'en', 'Hindi (India)'],
  ['not a language', 'en', 'not a language'],
])('%s is called in %s %s', (code, reader, name) => {
  expect(languageName(code, reader)).toBe(name)
})
