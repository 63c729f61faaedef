import { expect, test } from 'vitest'
import { dropFollow, type FollowDraft, keepFollow, readFollow } from './follow-draft.ts'

function memory() {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (i: number) => [...kept.keys()][i] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const DRAFT: FollowDraft = {
  contactWay: 'visit',
  contactResult: 1,
  willingness: 4,
  commitmentTime: null,
  ptpTime: '2026-11-23T12:30:00.000Z',
  ptpAmount: 50_000,
  remark: 'Pays half on Monday',
}

test('what was written of a contact comes back to its author and case only, until it was sent', () => {
  const store = memory()
  keepFollow(store, 'asha', 'A1', DRAFT, 1_000)
  expect(readFollow(store, 'asha', 'A1', 2_000)).toEqual(DRAFT)
  expect(readFollow(store, 'bina', 'A1', 2_000)).toBeNull()
  expect(readFollow(store, 'asha', 'A2', 2_000)).toBeNull()
  dropFollow(store, 'asha', 'A1')
  expect(store.length).toBe(0)
})

test('a form nobody wrote in leaves nothing behind', () => {
  const store = memory()
  keepFollow(store, 'asha', 'A1', DRAFT, 1_000)
  keepFollow(
    store,
    'asha',
    'A1',
    { ...DRAFT, contactResult: null, ptpAmount: null, remark: ' ' },
    1_001,
  )
  expect(store.length).toBe(0)
})

test('what storage holds is read with care', () => {
  const store = memory()
  store.setItem(
    'follow-draft:asha:A1',
    JSON.stringify({
      savedAt: 5,
      contactWay: 'pigeon',
      contactResult: 12,
      willingness: '1',
      commitmentTime: 'soon',
      ptpTime: 7,
      ptpAmount: 1.5,
      remark: 'x'.repeat(900),
    }),
  )
  expect(readFollow(store, 'asha', 'A1', 6)).toEqual({
    contactWay: 'phone',
    contactResult: null,
    willingness: null,
    commitmentTime: null,
    ptpTime: null,
    ptpAmount: null,
    remark: 'x'.repeat(500),
  })
})
