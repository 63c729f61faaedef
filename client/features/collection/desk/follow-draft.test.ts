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

test('a draft is restored only for its author and case, until it is sent', () => {
  const store = memory()
  keepFollow(store, 'asha', 'A1', DRAFT, 1_000)
  expect(readFollow(store, 'asha', 'A1', 2_000)).toEqual(DRAFT)
  expect(readFollow(store, 'bina', 'A1', 2_000)).toBeNull()
  expect(readFollow(store, 'asha', 'A2', 2_000)).toBeNull()
  dropFollow(store, 'asha', 'A1')
  expect(store.length).toBe(0)
})

test('an untouched form stores no draft', () => {
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

test('malformed drafts in storage are ignored', () => {
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
