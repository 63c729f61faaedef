import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Button, Intent } from '@blueprintjs/core'

/** A page with a message and a link: not found, not permitted. */
export function StatusPage({
  code,
  title,
  children,
}: {
  code: string
  title: string
  children: ReactNode
}) {
  const { t } = useTranslation('account')
  const [, navigate] = useLocation()
  return (
    <div className="status-page">
      <div>
        <div className="status-code" aria-hidden="true">
          {code}
        </div>
        <h1>{title}</h1>
        {children}
        <div className="status-actions">
          <Button text={t('back')} onClick={() => history.back()} />
          <Button
            intent={Intent.PRIMARY}
            text={t('toHome')}
            onClick={() => navigate('/home_page')}
          />
        </div>
      </div>
    </div>
  )
}
