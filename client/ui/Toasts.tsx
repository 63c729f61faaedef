/** Shows what the toast queue allows; mounted once by the app. */
import './toast.css'
import { Button, OverlayToaster, Toast } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeToast, pauseToasts, subscribeToasts, toastSnapshot } from './toasts.ts'

/** A flood changes the counter often; the eye needs it four times a second. */
const RENDER_MS = 250

export function Toasts(): ReactNode {
  const { t } = useTranslation('ui')
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
    <OverlayToaster position="top" className="toasts" canEscapeKeyClear={false}>
      {queue.shown.map((toast) => (
        <Toast
          key={toast.key}
          className={`toast toast-${toast.intent}`}
          intent={toast.intent}
          icon={toast.intent === 'danger' ? 'error' : toast.intent === 'warning' ? 'warning-sign' : toast.intent === 'success' ? 'tick-circle' : 'info-sign'}
          timeout={0}
          action={toast.action}
          onDismiss={() => closeToast(toast.key)}
          isCloseButtonShown={false}
          message={
            <span className="toast-text" onMouseEnter={() => pauseToasts(true)} onMouseLeave={() => pauseToasts(false)}>
              <span>
                {toast.message}
                {toast.count > 1 && <span className="toast-count tabular">{t('toast.count', { count: toast.count })}</span>}
              </span>
              <Button variant="minimal" icon="small-cross" aria-label={t('toast.close')} title={t('toast.close')} onClick={() => closeToast(toast.key)} />
            </span>
          }
        />
      ))}
    </OverlayToaster>
  )
}
