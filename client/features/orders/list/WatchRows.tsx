/**
 * Watches the first rows of a page one by one, for sessions that get order events only by watching.
 */
import { type ReactNode, useEffect, useState } from 'react'
import { useSilentWatch } from '#client/live/watch.ts'

/** The edge allows 20 watches per tab; the menu and an open record need some of them. */
const WATCHED_ROWS = 16
/** The edge allows 20 messages per second, and each watch takes two. */
const STEP = 2
const STEP_MS = 300

export function WatchRows({ ids }: { ids: readonly string[] }): ReactNode {
  const wanted = Math.min(ids.length, WATCHED_ROWS)
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (begun >= wanted) return
    const timer = setTimeout(() => setBegun((n) => n + STEP), begun === 0 ? 0 : STEP_MS)
    return () => clearTimeout(timer)
  }, [begun, wanted])
  return ids.slice(0, Math.min(begun, wanted)).map((id) => <WatchRow key={id} id={id} />)
}

function WatchRow({ id }: { id: string }): ReactNode {
  useSilentWatch('order', id)
  return null
}
