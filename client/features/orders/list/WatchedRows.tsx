import { useRowEvents } from '#client/live/row-presence.ts'

/** People who do not see all orders receive only the events of the page. */
export function WatchedRows({ ids }: { ids: readonly string[] }): null {
  useRowEvents('order', ids)
  return null
}
