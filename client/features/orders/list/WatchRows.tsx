/** Watches the first rows of a page one by one, for sessions that hear of orders only where they watch them. */
import { type ReactNode, useEffect, useState } from 'react'
import { useOverhear } from '#client/live/watch.ts'

/** The edge lets a tab watch 20 things; the menu and an open record need their place. */
const WATCHED_ROWS = 16
/** The edge takes 20 messages a second, and each watch is two. */
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
  useOverhear('order', id)
  return null
}
