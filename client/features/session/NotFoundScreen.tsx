import { useTranslation } from 'react-i18next'
import { NoticePage } from './NoticePage.tsx'

export function Screen() {
  const { t } = useTranslation('account')
  return (
    <NoticePage code="404" title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
    </NoticePage>
  )
}
