/**
 * Shows the toasts of the queue; mounted once by the app. Blueprint's toaster is not used: it drops
 * the oldest toast, which may be the error, and makes every toast an alert.
 */
import './toast.css'
import { Button, Icon, Portal } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { KeyHint } from '#client/ui/frame/KeyHint.tsx'
import { closeToast, pauseToasts, subscribeToasts, toastSnapshot, undoToast } from './toasts.ts'

/** Many messages change the counter often; rendering four times a second is enough. */
const RENDER_MS = 250

export function Toasts(): ReactNode {
  const t = useText('ui')
  const [queue, setQueue] = useState(toastSnapshot)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let last = 0
    const render = () => {
      timer = null
      last = Date.now()
      setQueue(toastSnapshot())
    }
    const stop = subscribeToasts(() => {
      timer ??= setTimeout(render, Math.max(0, last + RENDER_MS - Date.now()))
    })
    render()
    return () => {
      stop()
      if (timer) clearTimeout(timer)
    }
  }, [])
  return (
    <Portal>
      <div
        className="toasts"
        onMouseEnter={() => pauseToasts(true)}
        onMouseLeave={() => pauseToasts(false)}
        onFocus={() => pauseToasts(true)}
        onBlur={() => pauseToasts(false)}
      >
        {queue.shown.map((toast) => (
          // Only errors interrupt a screen reader.
          <div
            key={toast.key}
            className={`toast toast-${toast.intent}`}
            role={toast.intent === 'danger' || toast.intent === 'warning' ? 'alert' : 'status'}
          >
            <Icon
              icon={
                toast.intent === 'danger'
                  ? 'error'
                  : toast.intent === 'warning'
                    ? 'warning-sign'
                    : toast.intent === 'success'
                      ? 'tick-circle'
                      : 'info-sign'
              }
            />
            <span className="toast-text">
              {toast.message}
              {toast.count > 1 && (
                <span className="toast-count tabular">
                  {t('toast.count', { count: toast.count })}
                </span>
              )}
            </span>
            {toast.undo && (
              <Button variant="minimal" size="small" onClick={() => undoToast(toast.key)}>
                {t('toast.undo')}
                <KeyHint keys="Ctrl+Z" />
              </Button>
            )}
            {toast.action && (
              <Button
                variant="minimal"
                size="small"
                text={toast.action.text}
                onClick={() => {
                  toast.action?.onClick()
                  closeToast(toast.key)
                }}
              />
            )}
            {toast.dismissText === undefined ? (
              <Button
                variant="minimal"
                size="small"
                icon="small-cross"
                aria-label={t('toast.close')}
                title={t('toast.close')}
                onClick={() => closeToast(toast.key)}
              />
            ) : (
              <Button
                variant="minimal"
                size="small"
                text={toast.dismissText}
                onClick={() => closeToast(toast.key)}
              />
            )}
          </div>
        ))}
      </div>
    </Portal>
  )
}
