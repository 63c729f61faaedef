/**
 * A session that expired while in use: the page and its forms stay until the same user has signed
 * in again. Meanwhile reads wait, so that no part of the page fails; changes are refused and must
 * be submitted again by the user.
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

/** @param isBack true when the same user continues, false otherwise */
export function endInterruption(isBack: boolean): void {
  const was = waiting
  waiting = null
  was?.settle(isBack)
  if (was && isBack) for (const listener of [...listeners]) listener()
}

export function isInterrupted(): boolean {
  return waiting !== null
}

/** Whether the session was restored. @throws the signal's reason when it aborts the waiting */
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

/** Subscribes to the return of the same user. */
export function onSessionBack(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
