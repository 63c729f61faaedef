import { expect, test } from 'vitest'
import { harshWordsIn } from './remark-linter.ts'

const WORDS = ['threaten', 'thief', 'cárcel', '威胁', 'ขู่', 'c.o.d']

test.each<[remark: string, found: string[]]>([
  ['Pays tomorrow', []],
  ['Told him he is a THIEF.', ['thief']],
  ['I will threaten him, thief!', ['threaten', 'thief']],
  // parts of other words, and characters with a meaning in patterns, do not match
  ['Thieving threatens nobody; code', []],
  ['paid c.o.d today', ['c.o.d']],
  // accents in any normal form, and scripts without spaces
  ['Irá a la ca\u0301rcel', ['cárcel']],
  ['我威胁他了', ['威胁']],
  ['ผมขู่เขา', ['ขู่']],
])('%s', (remark, found) => {
  expect(harshWordsIn(remark, WORDS)).toEqual(found)
})
