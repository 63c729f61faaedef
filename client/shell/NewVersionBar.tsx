import { Button } from '@blueprintjs/core'
import { useStore } from '#client/base/store.ts'
import { useText } from '#client/base/use-text.ts'
import { newVersion } from './build.ts'

/** Offers a reload when a newer version is available; the user decides when. */
export function NewVersionBar() {
  const t = useText('shell')
  if (!useStore(newVersion)) return null
  return (
    <div className="version-bar" role="status">
      <span>{t('version.text')}</span>
      <Button size="small" text={t('version.reload')} onClick={() => location.reload()} />
    </div>
  )
}
