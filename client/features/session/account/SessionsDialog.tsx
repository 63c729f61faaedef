/** The person's sessions; all but the current one can be ended. */
import { Dialog, DialogBody, Spinner, Tag } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { endMySession, mySessions } from '#shared/session/account-api.ts'
import { closeAccountDialog } from './account-dialog.ts'
import { deviceName } from './device-name.ts'

export function SessionsDialog() {
  const t = useText('account')
  const { reason: offline } = useConnection()
  const titleId = useId()
  const list = useQuery({
    ...queryOf(mySessions, {}, { quiet: true }),
    staleTime: 0,
    refetchInterval: 30_000,
  })
  const send = useSend(endMySession)
  const rows = list.data?.rows ?? []
  const others = rows.filter((row) => !row.current)

  async function end(sessionId?: string): Promise<void> {
    const answer = await send
      .mutateAsync(sessionId === undefined ? {} : { sessionId })
      .catch(() => null)
    if (answer)
      void showMessage({
        intent: 'success',
        message: t('sessions.ended', { count: answer.ended }),
        key: 'sessions',
      })
    await list.refetch()
  }

  return (
    <Dialog
      isOpen
      onClose={closeAccountDialog}
      aria-labelledby={titleId}
      className="form-dialog account-dialog"
    >
      <OverlayHead id={titleId} title={t('sessions.title')} onClose={closeAccountDialog} />
      {list.isError && !list.data ? (
        <ErrorPane error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Spinner className="account-wait" size={32} aria-label={t('wait')} />
      ) : (
        <>
          <DialogBody className="account-body">
            <p className="account-text">{t('sessions.text')}</p>
            <ul className="sessions">
              {rows.map((row) => (
                <li key={row.sessionId}>
                  <div>
                    <p className="sessions-device" title={row.agent ?? undefined}>
                      {deviceName(row.agent) ?? t('sessions.unknown')}
                      {row.current ? (
                        <Tag minimal intent="success">
                          {t('sessions.this')}
                        </Tag>
                      ) : null}
                    </p>
                    <dl>
                      <dt>{t('sessions.ip')}</dt>
                      <dd className="tabular">{row.ip ?? '—'}</dd>
                      <dt>{t('sessions.since')}</dt>
                      <dd>
                        <IstTime value={row.loginTime} />
                      </dd>
                      <dt>{t('sessions.seen')}</dt>
                      <dd>
                        <IstTime value={row.lastSeen} />
                      </dd>
                    </dl>
                  </div>
                  {row.current ? null : (
                    <ActionButton
                      text={t('sessions.end')}
                      disabledReason={offline}
                      onClick={() => end(row.sessionId)}
                    />
                  )}
                </li>
              ))}
            </ul>
            {others.length === 0 ? <p className="account-text">{t('sessions.only')}</p> : null}
          </DialogBody>
          {others.length > 1 ? (
            <div className="form-buttons">
              <ActionButton
                intent="danger"
                text={t('sessions.endOthers')}
                disabledReason={offline}
                onClick={() => end()}
              />
            </div>
          ) : null}
        </>
      )}
    </Dialog>
  )
}
