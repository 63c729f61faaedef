import { useRowEvents } from '#client/live/row-presence.ts'

/** Who does not see all orders hears only those of the page. */
export function WatchedRows({ ids }: { ids: readonly string[] }): null {
  useRowEvents('order', ids)
  return null
}
