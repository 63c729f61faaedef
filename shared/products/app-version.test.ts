import { expect, test } from 'vitest'
import { compareVersions, updateFor } from './app-version.ts'

test('versions are compared by number, part by part', () => {
  expect(compareVersions('2.10.0', '2.9.9')).toBeGreaterThan(0)
  expect(compareVersions('2.1', '2.1.0')).toBe(0)
  expect(compareVersions('1.99', '2')).toBeLessThan(0)
  expect(compareVersions('2.1.0.1', '2.1')).toBeGreaterThan(0)
})

test.each([
  ['2.9', false, 'required'],
  ['3.0', false, 'offered'],
  ['3.0', true, 'required'],
  ['3.2', true, 'none'],
  ['4.0', true, 'none'],
] as const)('installed %s, updates forced %s: %s', (installed, forceUpdate, update) => {
  expect(updateFor(installed, { appVersion: '3.2.0', minVersion: '3.0', forceUpdate })).toBe(update)
})
