import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Button, Intent } from '@blueprintjs/core'

/** A page that only says something and leads on: not found, not permitted. */
export function NoticePage({
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
    <div className="notice-page">
      <div>
        <div className="notice-code" aria-hidden="true">
          {code}
        </div>
        <h1>{title}</h1>
        {children}
        <div className="notice-actions">
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
