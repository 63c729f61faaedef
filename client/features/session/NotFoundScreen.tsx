import { useTranslation } from 'react-i18next'
import { StatusPage } from './StatusPage.tsx'

export function Screen() {
  const { t } = useTranslation('account')
  return (
    <StatusPage code="404" title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
    </StatusPage>
  )
}
