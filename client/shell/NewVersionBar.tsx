import { Button } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useStore } from '#client/base/store.ts'
import { newVersion } from './build.ts'

/** Offers a reload when a newer version is available; the user decides when. */
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
