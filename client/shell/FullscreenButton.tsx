import { Button } from '@blueprintjs/core'
import { useSyncExternalStore } from 'react'
import { useText } from '#client/base/use-text.ts'
import { isFullscreen, subscribeFullscreen, toggleFullscreen } from './fullscreen.ts'

export function FullscreenButton() {
  const t = useText('shell')
  const on = useSyncExternalStore(subscribeFullscreen, isFullscreen)
  const label = on ? t('fullscreen.leave') : t('fullscreen.enter')
  return (
    <Button
      variant="minimal"
      icon={on ? 'minimize' : 'fullscreen'}
      aria-label={label}
      aria-pressed={on}
      title={label}
      onClick={() => void toggleFullscreen()}
    />
  )
}
