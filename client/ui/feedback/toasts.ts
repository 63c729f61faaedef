/** The store of all toasts; `Toasts` renders it. Callable outside React (fetch errors, sockets). */
import {
  dismissToast,
  lastUndo,
  NO_TOASTS,
  pushToast,
  tickToasts,
  type ToastQueue,
  type ToastRequest,
} from './toast-queue.ts'

let queue: ToastQueue = NO_TOASTS
let timer: ReturnType<typeof setInterval> | null = null
let paused = false
const listeners = new Set<() => void>()

export function showToast(request: ToastRequest): void {
  update(pushToast(queue, request, Date.now()))
}

export function closeToast(key: string): void {
  update(dismissToast(queue, key, Date.now()))
}

export function hasUndo(): boolean {
  return lastUndo(queue) !== undefined
}

/** Runs the undo of a toast, the newest unless one is named. */
export function undoToast(key = lastUndo(queue)?.key): void {
  const toast = queue.shown.find((one) => one.key === key)
  if (!toast?.undo) return
  closeToast(toast.key)
  void toast.undo()
}

/** While the pointer or the focus is on a toast, none expires. */
export function pauseToasts(on: boolean): void {
  paused = on
}

export function clearToasts(): void {
  update(NO_TOASTS)
}

export function toastSnapshot(): ToastQueue {
  return queue
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function update(next: ToastQueue): void {
  queue = next
  const busy = next.shown.length + next.waiting.length > 0
  if (busy && !timer) timer = setInterval(() => update(tickToasts(queue, Date.now(), paused)), 500)
  if (!busy && timer) {
    clearInterval(timer)
    timer = null
  }
  for (const listener of listeners) listener()
}
