import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { StatusPage } from './StatusPage.tsx'

/** Names the missing code, so that the person can ask the administrator for it. */
export function Screen() {
  const { t } = useTranslation('account')
  const code = new URLSearchParams(useSearch()).get('code')
  return (
    <StatusPage code="401" title={t('notPermitted.title')}>
      <p>{t('notPermitted.text')}</p>
      {code ? (
        <p>
          <code>{t('notPermitted.code', { code })}</code>
        </p>
      ) : null}
    </StatusPage>
  )
}
