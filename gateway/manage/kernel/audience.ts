/**
 * Who receives which events. A feature's `-audience.ts` names the rooms a session is in and those it may
 * enter by watching something; the client never names a room.
 */
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { WatchKind } from '#shared/kernel/live.ts'
import type { StaffActor } from './actor.ts'

export interface Audience {
  /** Rooms the session is in as long as it lives. */
  rooms?(actor: StaffActor): string[]
  /** Room of a watched thing, or null when it is missing or outside the caller's scope. */
  watch?: Partial<
    Record<WatchKind, (db: Db, actor: StaffActor, key: string) => Promise<string | null>>
  >
  /**
   * Of the rows of a list those in the caller's scope, whose presence they may follow.
   */
  rows?: Partial<
    Record<WatchKind, (db: Db, actor: StaffActor, keys: readonly string[]) => Promise<string[]>>
  >
  /**
   * Kinds whose rows also send events, each in the room `kind:key`: users who list them may be in
   * no other room of theirs.
   */
  watchedRows?: readonly WatchKind[]
}
