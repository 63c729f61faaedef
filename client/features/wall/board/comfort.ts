/** Long-term care of a screen: it stays awake, nothing burns in, it is dark at night. */
import { isInsideIstWindow } from '#shared/kernel/time.ts'

const SHIFT_MS = 60_000
/** Steps of 4 px around the middle: no edge stays in one place for two minutes. */
const PATH = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [-4, 4],
  [-4, 0],
  [-4, -4],
  [0, -4],
  [4, -4],
] as const
const BRIGHT_FROM = '08:00'
const BRIGHT_TO = '20:00'

/** Offset of the picture after a number of minutes, in pixels. */
export function shiftAt(minute: number): readonly [x: number, y: number] {
  return PATH[minute % PATH.length] ?? PATH[0]
}

export function isNight(now: number): boolean {
  return !isInsideIstWindow(now, BRIGHT_FROM, BRIGHT_TO)
}

/** Whether a screen sleeps now; its hours may cross midnight. */
export function isAsleep(
  now: number,
  { sleepFrom, sleepTo }: { sleepFrom?: string; sleepTo?: string },
): boolean {
  if (sleepFrom === undefined || sleepTo === undefined) return false
  return sleepFrom < sleepTo
    ? isInsideIstWindow(now, sleepFrom, sleepTo)
    : !isInsideIstWindow(now, sleepTo, sleepFrom)
}

const ACROSS = 5
const DOWN = 7

/**
 * Place of a sleeping screen's clock, in per cent of the free space: another one each minute, each
 * once in 35 minutes.
 */
export function sleeperAt(minute: number): readonly [x: number, y: number] {
  return [((minute % ACROSS) * 100) / (ACROSS - 1), ((minute % DOWN) * 100) / (DOWN - 1)]
}

/**
 * Moves and dims the layer each minute.
 * @param knowsTime the server's clock is known; until then nothing is dimmed, because the clock of a
 * television may be wrong
 * @returns a function that stops it
 */
export function startComfort(
  layer: HTMLElement,
  now: () => number,
  knowsTime: boolean,
): () => void {
  const apply = (): void => {
    const [x, y] = shiftAt(Math.floor(now() / SHIFT_MS))
    layer.style.transform = `translate(${x}px, ${y}px)`
    layer.classList.toggle('is-night', knowsTime && isNight(now()))
  }
  apply()
  const timer = setInterval(apply, SHIFT_MS)
  return () => clearInterval(timer)
}

/**
 * Requests a wake lock; browsers release it when the page is hidden. Without the API the system
 * setting must keep the screen on.
 */
export function stayAwake(): void {
  const request = (): void => {
    if (document.visibilityState === 'visible' && 'wakeLock' in navigator)
      void navigator.wakeLock.request('screen').catch(() => undefined)
  }
  request()
  document.addEventListener('visibilitychange', request)
}
