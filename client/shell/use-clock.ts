/**
 * Server time for the console: read at the start and every five minutes while in use, shown each
 * second.
 */
import { useEffect } from 'react'
import { call } from '#client/session/call.ts'
import { serverNow, setServerClock, useServerClock } from '#client/session/server-clock.ts'
import { setUiClock, useSecond } from '#client/ui/value/clock.ts'
import { countryClock } from '#shared/kernel/time.ts'
import { serverTime } from '#shared/session/session-api.ts'

const ASK_EVERY_MS = 5 * 60_000
/** Reading the time must not keep an unused session alive. */
const IDLE_MS = 10 * 60_000

// Before the first clock renders, which would otherwise show this computer's time for a second.
setUiClock(serverNow)

/** Keeps the clock; mounted once, by the frame. */
export function useServerTime(): void {
  useEffect(() => {
    let activeAt = Date.now()
    const active = () => {
      activeAt = Date.now()
    }
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible' || Date.now() - activeAt > IDLE_MS) return
      const sentAt = Date.now()
      // The answer is older by half of the round trip.
      void call(serverTime, {}, { quiet: true }).then(
        (clock) => setServerClock(clock, (Date.now() + sentAt) / 2),
        () => {},
      )
    }, ASK_EVERY_MS)
    window.addEventListener('pointerdown', active)
    window.addEventListener('keydown', active)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pointerdown', active)
      window.removeEventListener('keydown', active)
    }
  }, [])
}

/** `HH:MM:SS` in the user's country, and its code. */
export function useCountryClock(): { day: string; time: string; country: string; demo: boolean } {
  const { country, demo } = useServerClock()
  const [day = '', time = ''] = countryClock(useSecond(), country).split(' ')
  return { day, time, country, demo }
}
