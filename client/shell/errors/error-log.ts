/** Errors of this browser session: uncaught errors and rejections, and failed panes. */
import { createStore } from '#client/base/store.ts'

export interface LoggedError {
  id: number
  /** Epoch ms of the last occurrence. */
  at: number
  message: string
  stack: string
  /** Component tree of a failed pane. */
  component: string
  url: string
  count: number
}

const MOST = 50
/** Browsers report this when a layout needs a second pass; it is harmless. */
const HARMLESS = /ResizeObserver loop/

export const errorLog = createStore<readonly LoggedError[]>([])

export function logError(error: unknown, component = ''): void {
  const message = error instanceof Error ? error.message : String(error)
  if (HARMLESS.test(message) || (error instanceof DOMException && error.name === 'AbortError'))
    return
  const url = location.pathname + location.search
  errorLog.set((log) =>
    addError(log, {
      at: Date.now(),
      message: message || 'Error',
      stack: error instanceof Error ? (error.stack ?? '') : '',
      component,
      url,
    }),
  )
}

/** The same error at the same place is one line with a count, newest first. Pure. */
export function addError(
  log: readonly LoggedError[],
  fault: Omit<LoggedError, 'id' | 'count'>,
): readonly LoggedError[] {
  const known = log.find((one) => one.message === fault.message && one.url === fault.url)
  const entry = {
    ...fault,
    component: fault.component || (known?.component ?? ''),
    id: known?.id ?? 1 + Math.max(0, ...log.map((one) => one.id)),
    count: 1 + (known?.count ?? 0),
  }
  return [entry, ...log.filter((one) => one !== known)].slice(0, MOST)
}

export function clearErrors(): void {
  errorLog.set([])
}

/** Records uncaught errors. @returns stops it */
export function watchErrors(): () => void {
  const onError = (event: ErrorEvent) => logError(event.error ?? event.message)
  const onRejection = (event: PromiseRejectionEvent) => logError(event.reason)
  window.addEventListener('error', onError)
  window.addEventListener('unhandledrejection', onRejection)
  return () => {
    window.removeEventListener('error', onError)
    window.removeEventListener('unhandledrejection', onRejection)
  }
}
