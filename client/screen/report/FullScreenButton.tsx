import { Button } from '@blueprintjs/core'
import { type ReactNode, type RefObject, useSyncExternalStore } from 'react'
import { useText } from '#client/base/use-text.ts'

/** Shows one part of the page on the whole screen, for a wall or a meeting. */
export function FullScreenButton({ of }: { of: RefObject<HTMLElement | null> }): ReactNode {
  const t = useText('chart')
  const isFull = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  if (!document.fullscreenEnabled) return null
  const name = t(isFull ? 'chart:report.leaveFullScreen' : 'chart:report.fullScreen')
  return (
    <Button
      size="small"
      variant="minimal"
      icon={isFull ? 'minimize' : 'fullscreen'}
      aria-label={name}
      title={name}
      // a browser that refuses leaves the page as it is
      onClick={() =>
        void (isFull ? document.exitFullscreen() : of.current?.requestFullscreen())?.catch(
          () => undefined,
        )
      }
    />
  )
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}
