/** Live events for a screen, in batches: the first at the next frame, what follows a tenth of a second later, many a quarter, in order of seq. */
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { createBatch } from './batch.ts'
import { onLine } from './line.ts'

/**
 * Calls `handler` with the events of these types. Own echoes are among them (`event.clientId === CLIENT_ID`): patching by
 * version makes them harmless.
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
      handle([...events].sort((a, b) => a.seq - b.seq)),
    )
    const off = onLine({
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
