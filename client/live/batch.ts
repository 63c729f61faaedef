/** Collects items and hands them on together: at the next frame after a quiet time, then soon, and less often after many at once. */
export const SOON_MS = 100
/** Two hundred changes a second are drawn four times a second (ux.md 4: 57 frames a second then). */
export const MANY_MS = 250
const MANY = 10

export interface Batch<Item> {
  add(item: Item): void
  stop(): void
}

export function createBatch<Item>(
  flush: (items: readonly Item[]) => void,
  now: () => number = () => performance.now(),
  later = soon,
): Batch<Item> {
  let items: Item[] = []
  let cancel: (() => void) | null = null
  let next = -Infinity
  const run = () => {
    cancel = null
    const taken = items
    next = now() + (taken.length > MANY ? MANY_MS : SOON_MS)
    items = []
    flush(taken)
  }
  return {
    add(item) {
      items.push(item)
      cancel ??= later(run, Math.max(0, next - now()))
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
  if (
    ms === 0 &&
    typeof requestAnimationFrame === 'function' &&
    document.visibilityState === 'visible'
  ) {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
