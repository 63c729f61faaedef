import { expect, test } from 'vitest'
import { printedKeys } from './shortcuts.ts'

test.each([
  ['KeyN', [['N']]],
  ['KeyG KeyH', [['G'], ['H']]],
  ['Control+Shift+KeyC', [['Ctrl', 'Shift', 'C']]],
  ['Shift+Slash', [['?']]],
  ['Shift+Equal', [['+']]],
  ['NumpadSubtract', [['Num −']]],
  ['Digit1', [['1']]],
])('%s is printed as %j', (code, keys) => {
  expect(printedKeys(code)).toEqual(keys)
})
