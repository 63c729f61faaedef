/**
 * Whether a person is at this tab. A session ends when nobody uses it, so what a tab asks by itself - timers, lists read again
 * because of an event - must not count as use: a call is sent as background unless there was input just before it.
 */

/** As the keeper of claims hears them, and what assistive technology does without a key or a pointer. */
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'pointermove', 'click', 'input'] as const
/** What a press sets off starts within this time: words typed are searched, a form is checked and sent. */
const SET_OFF_MS = 10_000
/** Who types in a form asks nothing; well under the shortest idle limit. */
const SAY_MS = 2 * 60_000

// opening the page is his doing
let inputAt = Date.now()
let saidAt = Date.now()

/** Whether a call sent now would be the tab's own, not a person's. */
export function isLeftAlone(): boolean {
  return Date.now() - inputAt > SET_OFF_MS
}

/** A call that counts as use was sent. */
export function noteUse(): void {
  saidAt = Date.now()
}

/** @param sayHere called when there is input and no call has counted as use for a while */
export function watchInput(sayHere: () => void): void {
  const heard = ({ isTrusted }: Event) => {
    // what the page presses by itself is no person
    if (!isTrusted) return
    inputAt = Date.now()
    if (inputAt - saidAt < SAY_MS) return
    saidAt = inputAt
    sayHere()
  }
  for (const input of INPUTS)
    window.addEventListener(input, heard, { passive: true, capture: true })
}
