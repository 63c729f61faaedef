/**
 * Collects items and delivers them together: at the next frame after a quiet period, then after a
 * short interval, and after a longer one when many arrive at once.
 */
export const SOON_MS = 100
/** Two hundred changes a second are rendered four times a second; the page then keeps 57 fps. */
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

/** Waits `ms`; 0 = the next frame. A hidden tab has no frames, so a timer is used there. */
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
