/**
 * Decides which toasts are on screen, as pure functions of time: at most three, one per key,
 * repeats within ten seconds counted instead of stacked, at most one info every two seconds, and an
 * error removed only by its own age. Blueprint's toaster would drop the oldest, which may be the
 * error.
 */
/** Blueprint's intents; `primary` is plain information. */
export type ToastIntent = 'primary' | 'success' | 'warning' | 'danger'

export interface ToastRequest {
  intent: ToastIntent
  message: string
  /** Toasts with the same key are one toast, of the last message; default: intent and message. */
  key?: string
  action?: { text: string; onClick: () => void }
  /** In place of the cross: what not acting is called. The toast then waits for an answer. */
  dismissText?: string
  /** Undoes the reported command by another command; offered while the toast is shown. */
  undo?: () => unknown
}

export interface ShownToast extends ToastRequest {
  key: string
  count: number
  shownAt: number
  /** Last repeat; the lifetime of the toast counts from here. */
  freshAt: number
}

export interface ToastQueue {
  shown: readonly ShownToast[]
  waiting: readonly ShownToast[]
  lastInfoAt: number
}

export const MAX_TOASTS = 3
/** Errors stay for 5 s, successes for less. */
export const TOAST_MS = 5_000
const LIGHT_MS = 3_000
/** A toast with undo stays longer. */
export const UNDO_MS = 10_000
/** A toast that asks; the notification centre keeps the question. */
export const ANSWER_MS = 60_000
const COLLAPSE_MS = 10_000
const INFO_EVERY_MS = 2_000
const WAITING_LIMIT = 20

export const NO_TOASTS: ToastQueue = { shown: [], waiting: [], lastInfoAt: -Infinity }

export function pushToast(queue: ToastQueue, request: ToastRequest, now: number): ToastQueue {
  const key = request.key ?? `${request.intent}:${request.message}`
  const repeat = (toast: ShownToast) => toast.key === key && now - toast.shownAt < COLLAPSE_MS
  const again = (toast: ShownToast): ShownToast => ({
    ...toast,
    ...request,
    key,
    // news of one kind are counted; of what was done, only the same thing done again
    count: request.intent === 'success' && request.message !== toast.message ? 1 : toast.count + 1,
    freshAt: now,
  })
  if (queue.shown.some(repeat))
    return { ...queue, shown: queue.shown.map((toast) => (repeat(toast) ? again(toast) : toast)) }
  if (queue.waiting.some((toast) => toast.key === key))
    return {
      ...queue,
      waiting: queue.waiting.map((toast) => (toast.key === key ? again(toast) : toast)),
    }
  const toast: ShownToast = { ...request, key, count: 1, shownAt: now, freshAt: now }
  const shown = queue.shown.filter((other) => other.key !== key)
  return promote({ ...queue, shown, waiting: cut([...queue.waiting, toast]) }, now)
}

/**
 * Ages the queue: call at least once a second while it is not empty. `paused` = pointer on a toast.
 */
export function tickToasts(queue: ToastQueue, now: number, paused = false): ToastQueue {
  const shown = paused
    ? queue.shown
    : queue.shown.filter((toast) => now - toast.freshAt < lifeOf(toast))
  // An info that could not be shown for ten seconds is dropped; the notification centre has it.
  const waiting = queue.waiting.filter(
    (toast) => toast.intent !== 'primary' || now - toast.freshAt < COLLAPSE_MS,
  )
  return promote({ ...queue, shown, waiting }, now)
}

export function dismissToast(queue: ToastQueue, key: string, now: number): ToastQueue {
  return promote({ ...queue, shown: queue.shown.filter((toast) => toast.key !== key) }, now)
}

function lifeOf(toast: ShownToast): number {
  if (toast.dismissText !== undefined) return ANSWER_MS
  if (toast.undo) return UNDO_MS
  return weight(toast) > 0 && toast.intent !== 'success' ? TOAST_MS : LIGHT_MS
}

/** The newest toast with undo. */
export function lastUndo({ shown }: ToastQueue): ShownToast | undefined {
  return shown
    .filter((toast) => toast.undo)
    .toSorted((a, b) => a.freshAt - b.freshAt)
    .at(-1)
}

function promote(queue: ToastQueue, now: number): ToastQueue {
  let { shown, lastInfoAt } = queue
  const waiting: ShownToast[] = []
  const byWeight = [...queue.waiting].toSorted((a, b) => weight(b) - weight(a))
  for (const toast of byWeight) {
    const room = shown.length < MAX_TOASTS ? shown : displace(shown, toast)
    if (!room || (toast.intent === 'primary' && now - lastInfoAt < INFO_EVERY_MS)) {
      waiting.push(toast)
      continue
    }
    shown = [...room, { ...toast, shownAt: now, freshAt: now }]
    if (toast.intent === 'primary') lastInfoAt = now
  }
  return { shown, waiting, lastInfoAt }
}

/** The list without its oldest less important toast, or null when there is none. */
function displace(shown: readonly ShownToast[], toast: ShownToast): ShownToast[] | null {
  const victim = shown.find((other) => weight(other) < weight(toast))
  return victim ? shown.filter((other) => other !== victim) : null
}

function cut(waiting: readonly ShownToast[]): ShownToast[] {
  const over = waiting.length - WAITING_LIMIT
  if (over <= 0) return [...waiting]
  const dropped = waiting.filter((toast) => weight(toast) === 0).slice(0, over)
  return waiting.filter((toast) => !dropped.includes(toast))
}

function weight(toast: ToastRequest): number {
  return toast.intent === 'danger'
    ? 2
    : toast.intent === 'warning' || toast.intent === 'success'
      ? 1
      : 0
}
