/** `G` claims, but `G` then `R` leads to a page: a key that begins a sequence acts when no second one follows. */
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
  // The key that is going down now must not cancel itself.
  queueMicrotask(() => setTimeout(() => window.addEventListener('keydown', cancel, true)))
}
