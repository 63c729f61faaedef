import { expect, test } from 'vitest'
import { type Change, changedValues, valueBefore, versionBefore } from './change-words.ts'

const change = (given: Partial<Change>): Change => ({
  logId: '1',
  time: '2026-11-25T10:00:00.000Z',
  kind: 'config',
  targetId: 'K1001',
  name: null,
  action: 'edit',
  before: null,
  after: null,
  by: 'A',
  approvedBy: null,
  ...given,
})

test('a parameter goes back to the value it had, and only when that differed', () => {
  const before = { code: 'a.b', value: '5' }
  expect(valueBefore(change({ before, after: { code: 'a.b', value: '8' } }))).toEqual(before)
  expect(valueBefore(change({ before, after: { ...before, name: 'x' } }))).toBeNull()
  expect(valueBefore(change({ after: before }))).toBeNull()
  expect(valueBefore(change({ kind: 'line', before, after: {} }))).toBeNull()
})

test('a rule goes back to the version that was in force, a draft to the newest one before it', () => {
  const before = { versionNo: 2, latestNo: 4, status: 'enabled' }
  const rule = (action: string, more: object = {}) =>
    versionBefore(change({ kind: 'rule', action, before: { ...before, ...more } }))
  expect([rule('enableRule'), rule('disableRule'), rule('editRule')]).toEqual([2, 2, 4])
  expect(rule('enableRule', { status: 'draft' })).toBeNull()
  expect(rule('deleteRule')).toBeNull()
})

test('what changes with every save is not named', () => {
  const values = changedValues({
    before: { value: '5', version: 1 },
    after: { value: '8', version: 2 },
  })
  expect(values.map(({ path }) => path)).toEqual(['value'])
})
