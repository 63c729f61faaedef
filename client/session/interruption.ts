/**
 * A session that lapsed while somebody worked: the page stays, with its form, until the same person has signed in again. Meanwhile reads
 * wait, so that nothing below turns into an error; what changes something is refused and pressed again by him.
 */
interface Waiting {
  back: Promise<boolean>
  settle: (isBack: boolean) => void
}

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

export function interrupt(): void {
  if (waiting) return
  let settle: (isBack: boolean) => void = () => {}
  const back = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  waiting = { back, settle }
}

/** @param isBack the same person goes on; false: he does not */
export function endInterruption(isBack: boolean): void {
  const was = waiting
  waiting = null
  was?.settle(isBack)
  if (was && isBack) for (const listener of [...listeners]) listener()
}

export function isInterrupted(): boolean {
  return waiting !== null
}

/** Whether the session came back. @throws the signal's reason when it ends the waiting */
export async function sessionBack(signal: AbortSignal | undefined): Promise<boolean> {
  if (!waiting) return true
  signal?.throwIfAborted()
  const { back } = waiting
  if (!signal) return back
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    void back.then((isBack) => {
      signal.removeEventListener('abort', stop)
      resolve(isBack)
    })
  })
}

/** Hears that the same person goes on. */
export function onSessionBack(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
