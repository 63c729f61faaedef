/**
 * The server's time, so that a wrong clock on a computer does not matter; for days and countdowns.
 */
import { createStore, useStore } from '#client/base/store.ts'

interface ServerClock {
  /** Server time minus the clock of this computer, ms. */
  offset: number
  country: string
}

const clock = createStore<ServerClock>({ offset: 0, country: 'IN' })

export function setServerClock(time: string, country: string, now: number = Date.now()): void {
  const at = Date.parse(time)
  if (Number.isFinite(at)) clock.set({ offset: at - now, country })
}

/** Server time in epoch ms. */
export function serverNow(): number {
  return Date.now() + clock.get().offset
}

export function useServerCountry(): string {
  return useStore(clock).country
}
