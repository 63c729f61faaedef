/** What keeps a screen usable for years: it stays awake, nothing burns in, the night is dark (ux.md D11, D12). */
import { isInsideIstWindow } from '#shared/kernel/time.ts'

const SHIFT_MS = 60_000
/** Steps of 4 px around the middle: no edge stays where it is for two minutes. */
const PATH = [[0, 0], [4, 0], [4, 4], [0, 4], [-4, 4], [-4, 0], [-4, -4], [0, -4], [4, -4]] as const
const BRIGHT_FROM = '08:00'
const BRIGHT_TO = '20:00'

/** Place of the picture after so many minutes, in pixels. */
export function shiftAt(minute: number): readonly [x: number, y: number] {
  return PATH[minute % PATH.length] ?? PATH[0]
}

export function isNight(now: number): boolean {
  return !isInsideIstWindow(now, BRIGHT_FROM, BRIGHT_TO)
}

/** Moves and dims the layer each minute. @returns stops it */
export function startComfort(layer: HTMLElement, now: () => number): () => void {
  const apply = (): void => {
    const [x, y] = shiftAt(Math.floor(now() / SHIFT_MS))
    layer.style.transform = `translate(${x}px, ${y}px)`
    layer.classList.toggle('is-night', isNight(now()))
  }
  apply()
  const timer = setInterval(apply, SHIFT_MS)
  return () => clearInterval(timer)
}

/** Asks that the screen stays on; browsers give it back when the page was hidden. Without the API the system's own setting must do. */
export function stayAwake(): void {
  const ask = (): void => {
    if (document.visibilityState === 'visible' && 'wakeLock' in navigator) void navigator.wakeLock.request('screen').catch(() => undefined)
  }
  ask()
  document.addEventListener('visibilitychange', ask)
}
