import { Button } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useStore } from '#client/app/store.ts'
import { newVersion } from './build.ts'

/** Says that a reload brings a newer console; when is up to the person, who may be in the middle of something. */
export function NewVersionBar() {
  const { t } = useTranslation('shell')
  if (!useStore(newVersion)) return null
  return (
    <div className="version-bar" role="status">
      <span>{t('version.text')}</span>
      <Button size="small" text={t('version.reload')} onClick={() => location.reload()} />
    </div>
  )
}
