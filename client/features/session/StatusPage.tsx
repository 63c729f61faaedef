import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Button, Intent } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'

/** A page with a message and a link: not found, not permitted. */
export function StatusPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useText('account')
  const [, navigate] = useLocation()
  return (
    <div className="status-page">
      <div>
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
