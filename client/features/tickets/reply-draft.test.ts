import { expect, test } from 'vitest'
import { DRAFT_MS } from '#client/session/drafts.ts'
import {
  dropReply,
  keepReply,
  NO_REPLY,
  readReply,
  type ReplyDraft,
  sweepReplies,
} from './reply-draft.ts'

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
const DRAFT: ReplyDraft = {
  content: 'We have asked the bank.',
  remark: 'call back on Monday',
  internal: false,
}

test('an unsent reply is restored for its author and ticket only, for a day', () => {
  const store = memory()
  keepReply(store, 'asha', 'F1', DRAFT, 0)
  expect(readReply(store, 'asha', 'F1', DRAFT_MS)).toEqual(DRAFT)
  expect(readReply(store, 'ben', 'F1', 1)).toBeNull()
  expect(readReply(store, 'asha', 'F2', 1)).toBeNull()
  sweepReplies(store, DRAFT_MS + 1)
  expect(store.length).toBe(0)
})

test('a cleared or sent reply leaves no draft', () => {
  const store = memory()
  keepReply(store, 'asha', 'F1', DRAFT, 0)
  keepReply(store, 'asha', 'F1', { ...NO_REPLY, internal: true }, 1)
  keepReply(store, 'asha', 'F2', DRAFT, 0)
  dropReply(store, 'asha', 'F2')
  expect(store.length).toBe(0)
})

test('malformed stored drafts are ignored', () => {
  const store = memory()
  store.setItem(
    'ticket-reply:asha:F1',
    JSON.stringify({ savedAt: 5, content: 7, remark: 'x'.repeat(900), internal: 'yes' }),
  )
  store.setItem('ticket-reply:asha:F2', 'not json')
  expect(readReply(store, 'asha', 'F1', 6)).toEqual({
    content: '',
    remark: 'x'.repeat(500),
    internal: false,
  })
  expect(readReply(store, 'asha', 'F2', 6)).toBeNull()
})

test('a full storage does not stop the work', () => {
  const full = {
    ...memory(),
    length: 0,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(() => keepReply(full, 'asha', 'F1', DRAFT, 0)).not.toThrow()
})
