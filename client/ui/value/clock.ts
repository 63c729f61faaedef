/**
 * The clock of the kit: the shell sets it to server time, so that a wrong clock on a computer does
 * not matter.
 */
import { useSyncExternalStore } from 'react'

let source: () => number = Date.now
let timer: ReturnType<typeof setInterval> | null = null
let second = Math.floor(source() / 1000) * 1000
const listeners = new Set<() => void>()

/** @param now epoch ms; call once at start */
export function setUiClock(now: () => number): void {
  source = now
}

export function uiNow(): number {
  return source()
}

/** The current second, epoch ms; one timer serves all countdowns and ages on screen. */
export function useSecond(): number {
  return useSyncExternalStore(subscribeSecond, () => second)
}

export function subscribeSecond(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) {
    tick()
    timer = setInterval(tick, 1000)
  }
  return () => {
    listeners.delete(listener)
    if (!listeners.size && timer) {
      clearInterval(timer)
      timer = null
    }
  }
}

function tick(): void {
  second = Math.floor(source() / 1000) * 1000
  for (const listener of [...listeners]) listener()
}
