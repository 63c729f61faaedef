/** Collects items and hands them on together: at the next frame after a quiet time, then at most once per interval. */
export const BATCH_MS = 250

export interface Batch<Item> {
  add(item: Item): void
  stop(): void
}

export function createBatch<Item>(flush: (items: readonly Item[]) => void, now: () => number = () => performance.now(), later = soon): Batch<Item> {
  let items: Item[] = []
  let cancel: (() => void) | null = null
  let flushedAt = -Infinity
  const run = () => {
    cancel = null
    flushedAt = now()
    const taken = items
    items = []
    flush(taken)
  }
  return {
    add(item) {
      items.push(item)
      cancel ??= later(run, Math.max(0, flushedAt + BATCH_MS - now()))
    },
    stop() {
      cancel?.()
      cancel = null
      items = []
    },
  }
}

/** Waits `ms`, 0 = until the next frame; a hidden tab draws no frames, so there a timer does it. */
function soon(run: () => void, ms: number): () => void {
  if (ms === 0 && typeof requestAnimationFrame === 'function' && document.visibilityState === 'visible') {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
