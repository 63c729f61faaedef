/** What a reviewer has written and not sent, kept per review and person in this browser: a lost claim loses no notes. */
import { isRejectCode, type RejectCode, type Verdict } from '#shared/review/reject-reasons.ts'

export interface Draft {
  choice: Verdict | null
  rejectCode: RejectCode | null
  remark: string
  checklist: Readonly<Record<string, boolean>>
}

export const NO_DRAFT: Draft = { choice: null, rejectCode: null, remark: '', checklist: {} }
/** Older notes belong to another day. */
export const DRAFT_MS = 24 * 3_600_000
const PREFIX = 'review-draft:'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export function isBlankDraft({ choice, remark, checklist }: Draft): boolean {
  return choice === null && remark.trim() === '' && Object.keys(checklist).length === 0
}

export function readDraft(store: Storage, userId: string, reviewId: string, now: number): Draft | null {
  return parse(store.getItem(keyOf(userId, reviewId)), now)
}

/** A blank draft is none. */
export function keepDraft(store: Storage, userId: string, reviewId: string, draft: Draft, now: number): void {
  try {
    if (isBlankDraft(draft)) store.removeItem(keyOf(userId, reviewId))
    else store.setItem(keyOf(userId, reviewId), JSON.stringify({ ...draft, savedAt: now }))
  } catch {
    // Storage full or forbidden: the notes last as long as the page.
  }
}

export function dropDraft(store: Storage, userId: string, reviewId: string): void {
  store.removeItem(keyOf(userId, reviewId))
}

/** Removes what is too old or cannot be read, of everybody. */
export function sweepDrafts(store: Storage, now: number): void {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i)).filter((key): key is string => key?.startsWith(PREFIX) === true)
  for (const key of keys) if (parse(store.getItem(key), now) === null) store.removeItem(key)
}

function keyOf(userId: string, reviewId: string): string {
  return `${PREFIX}${userId}:${reviewId}`
}

function parse(text: string | null, now: number): Draft | null {
  if (text === null) return null
  try {
    const kept = JSON.parse(text) as Partial<Draft> & { savedAt?: unknown }
    if (typeof kept.savedAt !== 'number' || now - kept.savedAt > DRAFT_MS) return null
    const checklist = Object.entries(kept.checklist ?? {}).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean')
    return {
      choice: kept.choice === 'passed' || kept.choice === 'failed' ? kept.choice : null,
      rejectCode: isRejectCode(kept.rejectCode) ? kept.rejectCode : null,
      remark: typeof kept.remark === 'string' ? kept.remark.slice(0, 500) : '',
      checklist: Object.fromEntries(checklist),
    }
  } catch {
    return null
  }
}
