/**
 * The events this tab has received; pure except for its own memory. Delivery is at least once and
 * not in order: a busy room's events travel as one frame that may overtake a quieter room, and a
 * room joined late is replayed from before the cursor. An event is therefore identified by its seq,
 * not by its position relative to the cursor; the cursor (`upTo`) is only where to resume.
 */
import type { LiveEvent, LiveFrame } from '#shared/kernel/live.ts'

const REMEMBERED = 5_000

export interface Cursor {
  /** Highest seq below which nothing is missing; null before the first answer. */
  upTo(): number | null
  /** Starts from the seq at which an HTTP answer was read, unless events were received before. */
  startAt(seq: number): void
  /** The new events of the frame, in order of seq. */
  accept(frame: LiveFrame): LiveEvent[]
  /** After a resync all screens are read again, so the server's number is taken as it is. */
  jump(upTo: number): void
}

export function createCursor(): Cursor {
  let upTo: number | null = null
  /** Everything at or below was received or is too old to matter. */
  let floor = -1
  const seen = new Set<number>()
  return {
    upTo: () => upTo,
    startAt(seq) {
      if (upTo === null && Number.isSafeInteger(seq)) upTo = seq
    },
    accept(frame) {
      const fresh: LiveEvent[] = []
      for (const event of [...frame.events].toSorted((a, b) => a.seq - b.seq)) {
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
