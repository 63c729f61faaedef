import { expect, test } from 'vitest'
import { DRAFT_MS } from '#client/session/drafts.ts'
import { type Draft, dropDraft, keepDraft, NO_DRAFT, readDraft, sweepDrafts } from './draft.ts'

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
const DRAFT: Draft = {
  choice: 'failed',
  rejectCode: 'C04',
  remark: 'Holder is the brother',
  checklist: { livePhoto: true },
}

test('a draft is restored only for its author and review', () => {
  const store = memory()
  keepDraft(store, 'asha', 'R1', DRAFT, 1_000)
  expect(readDraft(store, 'asha', 'R1', 2_000)).toEqual(DRAFT)
  expect(readDraft(store, 'ben', 'R1', 2_000)).toBeNull()
  expect(readDraft(store, 'asha', 'R2', 2_000)).toBeNull()
})

test('a draft older than a day is discarded', () => {
  const store = memory()
  keepDraft(store, 'asha', 'R1', DRAFT, 0)
  expect(readDraft(store, 'asha', 'R1', DRAFT_MS)).toEqual(DRAFT)
  expect(readDraft(store, 'asha', 'R1', DRAFT_MS + 1)).toBeNull()
  sweepDrafts(store, DRAFT_MS + 1)
  expect(store.length).toBe(0)
})

test('an emptied or submitted draft is removed from storage', () => {
  const store = memory()
  keepDraft(store, 'asha', 'R1', DRAFT, 0)
  keepDraft(store, 'asha', 'R1', NO_DRAFT, 1)
  keepDraft(store, 'asha', 'R2', DRAFT, 0)
  dropDraft(store, 'asha', 'R2')
  expect(store.length).toBe(0)
})

test('malformed stored drafts are ignored', () => {
  const store = memory()
  store.setItem(
    'review-draft:asha:R1',
    JSON.stringify({
      savedAt: 5,
      choice: 'maybe',
      rejectCode: 'Q9',
      remark: 7,
      checklist: { a: 'yes', b: true },
    }),
  )
  store.setItem('review-draft:asha:R2', 'not json')
  expect(readDraft(store, 'asha', 'R1', 6)).toEqual({
    choice: null,
    rejectCode: null,
    remark: '',
    checklist: { b: true },
  })
  expect(readDraft(store, 'asha', 'R2', 6)).toBeNull()
})
