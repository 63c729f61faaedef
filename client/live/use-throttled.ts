import { useCallback, useEffect, useRef } from 'react'

/** Shortest time between two reads caused by events. */
const REREAD_MS = 1_200
/** Events of one moment are collected for this long. */
const FIRST_MS = 150

/** Runs soon after a quiet period, then at most every 1.2 s; requests in between run once. */
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
