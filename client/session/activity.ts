/**
 * Whether someone uses this tab. A session ends when nobody uses it, so calls the tab makes by
 * itself (timers, lists read again because of an event) must not count as use. A call is sent as
 * background unless input came just before it.
 */
import { createStore } from '#client/base/store.ts'
import { serverNow } from './server-clock.ts'

/**
 * The input events the lease keeper uses, and clicks by assistive technology without key or
 * pointer.
 */
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'pointermove', 'click', 'input'] as const
/** Calls caused by input start within this time, e.g. a delayed search or the checks of a form. */
const SET_OFF_MS = 10_000
/**
 * Typing in a form makes no call, so use is reported this often; well under the shortest idle
 * limit.
 */
const REPORT_MS = 2 * 60_000

/** Without input for this long, the person was away. */
const AWAY_MS = 15 * 60_000

/** When the person left last (server time); null until they came back once. */
export const awayStore = createStore<string | null>(null)

/** A read begun this soon after a press was asked for by it. */
const PRESSED_MS = 500
const PRESSES = ['Enter', ' ']

// Opening the page is the user's action.
let inputAt = Date.now()
let pressedAt = -PRESSED_MS
let reportedAt = Date.now()

/** Whether a call sent now is made by the tab itself, not by the user. */
export function isLeftAlone(): boolean {
  return Date.now() - inputAt > SET_OFF_MS
}

/** Whether somebody has just pressed something, by pointer or by key. */
export function hasPressed(): boolean {
  return Date.now() - pressedAt < PRESSED_MS
}

/** Records that a call counting as use was sent. */
export function noteUse(): void {
  reportedAt = Date.now()
}

/** @param report called when there is input and no call has counted as use for a while */
export function watchInput(report: () => void): void {
  const onInput = (event: Event) => {
    // Clicks made by scripts are not input.
    if (!event.isTrusted) return
    if (event.type === 'click' || PRESSES.includes((event as KeyboardEvent).key))
      pressedAt = Date.now()
    const idleMs = Date.now() - inputAt
    if (idleMs >= AWAY_MS) awayStore.set(new Date(serverNow() - idleMs).toISOString())
    inputAt = Date.now()
    if (inputAt - reportedAt < REPORT_MS) return
    reportedAt = inputAt
    report()
  }
  for (const input of INPUTS)
    window.addEventListener(input, onInput, { passive: true, capture: true })
}
