import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { kickUser, userDetail } from '#shared/access/users-api.ts'
import type { User } from './user-types.ts'

/** The active sessions of an account; one or all of them can be ended. */
export function SessionsDrawer({
  user,
  onDone,
  onClose,
}: {
  user: User
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('access')
  const { reason: offline } = useConnection()
  const detail = useQuery(queryOf(userDetail, { userId: user.userId }, { quiet: true }))
  const kick = useSend(kickUser)
  const [confirming, setConfirming] = useState<{ sessionId?: string } | null>(null)
  useLive(['user.changed'], () => void detail.refetch())
  const sessions = detail.data?.sessions ?? []
  return (
    <SideDrawer isOpen title={t('user.sessionsOf', { name: user.userName })} onClose={onClose}>
      <div className="access-drawer">
        {detail.error !== null && (
          <ErrorPane error={detail.error} onRetry={() => void detail.refetch()} />
        )}
        {detail.data && sessions.length === 0 && (
          <Empty icon="offline" reason={t('user.noSessions')} />
        )}
        <ul className="access-sessions">
          {sessions.map((session) => (
            <li key={session.sessionId}>
              <strong className="tabular">{session.ip ?? '—'}</strong>
              <ActionButton
                size="small"
                icon="log-out"
                text={t('user.kickOne')}
                disabledReason={offline}
                onClick={() => setConfirming({ sessionId: session.sessionId })}
              />
              <small>{session.agent ?? '—'}</small>
              <span />
              <small>
                {t('user.signedIn')} <IstTime value={session.loginTime} /> · {t('user.lastSeen')}{' '}
                <IstTime value={session.lastSeen} />
              </small>
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <ActionButton
            icon="disable"
            intent="danger"
            text={t('user.kickAll')}
            disabledReason={offline}
            onClick={() => setConfirming({})}
          />
        )}
      </div>
      <ConfirmAction
        isOpen={confirming !== null}
        title={t(confirming?.sessionId === undefined ? 'user.askKickAll' : 'user.askKick', {
          name: user.userName,
        })}
        confirmText={t(confirming?.sessionId === undefined ? 'user.kickAll' : 'user.kickOne')}
        onConfirm={async () => {
          if (confirming === null) return
          await kick.mutateAsync({ userId: user.userId, ...confirming })
          await detail.refetch()
          onDone()
        }}
        onClose={() => setConfirming(null)}
      >
        <p>{t('user.kickMeans')}</p>
      </ConfirmAction>
    </SideDrawer>
  )
}
