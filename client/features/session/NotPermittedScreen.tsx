import { useSearch } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { StatusPage } from './StatusPage.tsx'

/** Names what is missing as roles are edited, so that the person can ask for exactly that. */
export function Screen() {
  const t = useText('account')
  const code = new URLSearchParams(useSearch()).get('code')
  return (
    <StatusPage title={t('notPermitted.title')}>
      <p>{t('notPermitted.text')}</p>
      {code ? (
        <p>
          {t('notPermitted.code')} <code>{code}</code>
        </p>
      ) : null}
    </StatusPage>
  )
}
