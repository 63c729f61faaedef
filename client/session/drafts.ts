/**
 * Unsent input, kept per record and user in this browser for a day, so that a lost page or claim
 * loses nothing written.
 */

/** Older drafts are dropped. */
export const DRAFT_MS = 24 * 3_600_000

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface DraftKind<Draft extends object> {
  /** Prefix of the storage keys. */
  prefix: string
  isBlank: (draft: Draft) => boolean
  /** Validates stored data, field by field, and makes a draft of it. */
  restore: (kept: Partial<Record<keyof Draft, unknown>>) => Draft
}

export interface Drafts<Draft extends object> {
  read: (store: DraftStorage, userId: string, id: string, now: number) => Draft | null
  /** A draft without text is not kept. */
  keep: (store: DraftStorage, userId: string, id: string, draft: Draft, now: number) => void
  drop: (store: DraftStorage, userId: string, id: string) => void
  /** Removes drafts of all users that are too old or cannot be read. */
  sweep: (store: DraftStorage, now: number) => void
}

export function draftsOf<Draft extends object>({
  prefix,
  isBlank,
  restore,
}: DraftKind<Draft>): Drafts<Draft> {
  const keyOf = (userId: string, id: string) => `${prefix}${userId}:${id}`
  function parse(text: string | null, now: number): Draft | null {
    if (text === null) return null
    try {
      const kept = JSON.parse(text) as Partial<Record<keyof Draft, unknown>> & { savedAt?: unknown }
      return typeof kept.savedAt === 'number' && now - kept.savedAt <= DRAFT_MS
        ? restore(kept)
        : null
    } catch {
      return null
    }
  }
  return {
    read: (store, userId, id, now) => parse(store.getItem(keyOf(userId, id)), now),
    keep(store, userId, id, draft, now) {
      try {
        if (isBlank(draft)) store.removeItem(keyOf(userId, id))
        else store.setItem(keyOf(userId, id), JSON.stringify({ ...draft, savedAt: now }))
      } catch {
        // Storage full or forbidden: the words last as long as the page.
      }
    },
    drop: (store, userId, id) => store.removeItem(keyOf(userId, id)),
    sweep(store, now) {
      const keys = Array.from({ length: store.length }, (_, i) => store.key(i)).filter(
        (key): key is string => key?.startsWith(prefix) === true,
      )
      for (const key of keys) if (parse(store.getItem(key), now) === null) store.removeItem(key)
    },
  }
}
