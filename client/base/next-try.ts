/**
 * When a call that nobody answered is worth another try: after a time that grows to five seconds,
 * and at once when the browser is online again.
 */
const FIRST_MS = 1_000
const LONGEST_MS = 5_000

export function nextTry(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  // many tabs wait for the same server
  const wait = longest / 2 + Math.random() * (longest / 2)
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, wait)
    window.addEventListener('online', go)
  })
}
