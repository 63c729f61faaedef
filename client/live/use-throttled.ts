import { useCallback, useEffect, useRef } from 'react'

/** Least time between two readings that events bring about. */
const REREAD_MS = 1_200
/** Events of one moment come together. */
const FIRST_MS = 150

/** Runs soon after a quiet time, then at most every 1.2 s; what is asked meanwhile runs once. */
export function useThrottled(run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const last = useRef(0)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current ?? undefined)
      timer.current = null
    },
    [],
  )
  return useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = null
        last.current = Date.now()
        latest.current()
      },
      Math.max(FIRST_MS, last.current + REREAD_MS - Date.now()),
    )
  }, [])
}
