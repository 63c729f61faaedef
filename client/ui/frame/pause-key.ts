/**
 * `G` claims, but `G` then `R` opens a page: a key that begins a sequence acts only when no second
 * key follows.
 */
const PAUSE_MS = 450

export function afterPause(run: () => void): void {
  const cancel = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', cancel, true)
  }
  const timer = setTimeout(() => {
    cancel()
    run()
  }, PAUSE_MS)
  // The key event being handled must not cancel itself.
  queueMicrotask(() => setTimeout(() => window.addEventListener('keydown', cancel, true)))
}
