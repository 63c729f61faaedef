import { useText } from '#client/base/use-text.ts'
import { StatusPage } from './StatusPage.tsx'

export function Screen() {
  const t = useText('account')
  return (
    <StatusPage title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
    </StatusPage>
  )
}
