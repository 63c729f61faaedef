/**
 * What this tab has heard, pure but for its own memory. Delivery is at least once and not in order: a busy room travels as
 * one frame that may overtake a quieter room, and a room joined late is replayed from before the cursor. So an event is known
 * by its seq, not by being below the cursor; the cursor (`upTo`) only says where to resume.
 */
import type { LiveEvent, LiveFrame } from '#shared/kernel/live.ts'

const REMEMBERED = 5_000

export interface Cursor {
  /** Highest seq below which nothing is missing; null before the first answer. */
  upTo(): number | null
  /** Starts from the seq an HTTP answer was read at, unless something was heard already. */
  startAt(seq: number): void
  /** The events of the frame that are new, in order of seq. */
  accept(frame: LiveFrame): LiveEvent[]
  /** After a resync all screens are read again, so the server's number is taken as it is. */
  jump(upTo: number): void
}

export function createCursor(): Cursor {
  let upTo: number | null = null
  /** Everything at or below was either heard or is too old to matter. */
  let floor = -1
  const seen = new Set<number>()
  return {
    upTo: () => upTo,
    startAt(seq) {
      if (upTo === null && Number.isSafeInteger(seq)) upTo = seq
    },
    accept(frame) {
      const fresh: LiveEvent[] = []
      for (const event of [...frame.events].sort((a, b) => a.seq - b.seq)) {
        if (event.seq <= floor || seen.has(event.seq)) continue
        seen.add(event.seq)
        fresh.push(event)
      }
      for (const seq of seen) {
        if (seen.size <= REMEMBERED) break
        seen.delete(seq)
        floor = Math.max(floor, seq)
      }
      if (upTo === null || frame.upTo > upTo) upTo = frame.upTo
      return fresh
    },
    jump(to) {
      upTo = to
      seen.clear()
      floor = -1
    },
  }
}
