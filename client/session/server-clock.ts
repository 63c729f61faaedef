/**
 * The server's time, so that a wrong clock on a computer does not matter; for days and countdowns.
 */
import { createStore, useStore } from '#client/base/store.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { serverTime } from '#shared/session/session-api.ts'

interface ServerClock {
  /** Server time minus the clock of this computer, ms. */
  offset: number
  country: string
  /** A demo has a clock of its own. */
  demo: boolean
}

const clock = createStore<ServerClock>({ offset: 0, country: 'IN', demo: false })

export function setServerClock(
  { time, country, demo }: DataOf<typeof serverTime>,
  now: number = Date.now(),
): void {
  const at = Date.parse(time)
  if (Number.isFinite(at)) clock.set({ offset: at - now, country, demo })
}

/** Server time in epoch ms. */
export function serverNow(): number {
  return Date.now() + clock.get().offset
}

export function useServerClock(): ServerClock {
  return useStore(clock)
}
