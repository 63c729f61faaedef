/**
 * Errors of this browser session: what, where and how often, to copy or to send to the people who operate
 * the console.
 */
import './errors.css'
import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { useStore } from '#client/base/store.ts'
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { copyText } from '#client/ui/value/copy.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { MESSAGE_MAX, reportError, STACK_MAX } from '#shared/errors/errors-api.ts'
import { buildId } from '#client/base/load-part.ts'
import { clearErrors, errorLog, type LoggedError } from './error-log.ts'

/** The server accepts this many per minute. */
const SEND_AT_ONCE = 20

export function Screen() {
  const t = useText('errors')
  const log = useStore(errorLog)
  const goBack = useGoBack('home_page')
  const [sending, setSending] = useState(false)

  async function send() {
    setSending(true)
    try {
      const some = log.slice(0, SEND_AT_ONCE)
      for (const error of some)
        await call(reportError, {
          message: error.message.slice(0, MESSAGE_MAX),
          stack: `${error.stack}\n${error.component}`.trim().slice(0, STACK_MAX),
          url: error.url,
          version: buildId(),
        })
      void showMessage({ intent: 'success', message: t('sent', { count: some.length }) })
    } catch {
      // `call` has shown why
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="error-log">
      <div className="error-log-bar">
        <h1>{t('title')}</h1>
        <Button
          text={t('copy')}
          disabled={log.length === 0}
          onClick={() => void copyText(log.map(textOf).join('\n\n'))}
        />
        <Button
          text={t('send')}
          loading={sending}
          disabled={log.length === 0}
          onClick={() => void send()}
        />
        <Button text={t('clear')} disabled={log.length === 0} onClick={clearErrors} />
      </div>
      {log.length === 0 ? (
        <div className="error-log-none">
          <p>{t('none')}</p>
          <Button icon="arrow-left" text={t('back')} onClick={goBack} />
        </div>
      ) : (
        <ul>
          {log.map((error) => (
            <li key={error.id}>
              <p className="error-log-line">
                <IstTime value={new Date(error.at).toISOString()} />
                <strong>{error.message}</strong>
                {error.count > 1 ? (
                  <span className="tabular">{t('times', { count: error.count })}</span>
                ) : null}
              </p>
              <p className="error-log-url">{error.url}</p>
              {error.stack || error.component ? (
                <details>
                  <summary>{t('details')}</summary>
                  <pre tabIndex={0}>{`${error.stack}\n${error.component}`.trim()}</pre>
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function textOf(error: LoggedError): string {
  const head = `${new Date(error.at).toISOString()} × ${error.count} ${error.url}`
  return [head, error.message, error.stack, error.component].join('\n').trim()
}
