/**
 * Live events for a screen, in batches and in order of seq: the first at the next frame, later ones
 * after a tenth of a second, many after a quarter.
 */
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { createBatch } from './batch.ts'
import { subscribeSocket } from './socket.ts'

/**
 * Calls `handler` with the events of these types. Echoes of own changes are included
 * (`event.clientId === CLIENT_ID`): patching by version makes them harmless.
 */
export function useLive(
  types: readonly string[],
  handler: (events: readonly LiveEvent[]) => void,
): void {
  const handle = useEffectEvent(handler)
  const wanted = types.join(' ')
  useEffect(() => {
    const set = new Set(wanted.split(' '))
    const batch = createBatch<LiveEvent>((events) =>
      handle([...events].toSorted((a, b) => a.seq - b.seq)),
    )
    const off = subscribeSocket({
      events: (events) => {
        for (const event of events) if (set.has(event.type)) batch.add(event)
      },
    })
    return () => {
      off()
      batch.stop()
    }
  }, [wanted])
}
