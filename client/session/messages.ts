/**
 * Toasts from outside the screens. The toast code loads with the first message, so the login page
 * stays small.
 */
import { loadPart } from '#client/base/load-part.ts'
import { createStore } from '#client/base/store.ts'
import type * as Toasts from '#client/ui/feedback/toasts.ts'

export type Intent = 'primary' | 'success' | 'warning' | 'danger'

/** Becomes true with the first message; the app then mounts the toasts. */
export const messagesWanted = createStore(false)

/** Shows a message; messages with the same key are shown once. Errors stay for 5 s. */
export async function showMessage(message: {
  intent: Intent
  message: string
  key?: string
  undo?: () => unknown
  action?: { text: string; onClick: () => void }
  dismissText?: string
}): Promise<void> {
  ;(await loadMessages()).showToast(message)
}

/** Mounts the toasts and loads what shows one: also before the first, which may be of a lost line. */
export async function loadMessages(): Promise<typeof Toasts> {
  messagesWanted.set(true)
  const loaded = await loadPart(() => import('#client/ui/feedback/toasts.ts'))
  toasts = loaded
  return loaded
}

let toasts: Pick<typeof Toasts, 'hasUndo' | 'undoToast'> | null = null

/** Whether a message with an undo command is shown. */
export function canUndo(): boolean {
  return toasts?.hasUndo() === true
}

export function undoLast(): void {
  toasts?.undoToast()
}
