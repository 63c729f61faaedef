import { translate } from '#client/base/i18n.ts'
import { showMessage } from '#client/session/messages.ts'

/** Toggles full screen; a browser that cannot do it shows the prescribed message. */
export async function toggleFullscreen(): Promise<void> {
  const refused = () =>
    void showMessage({
      intent: 'warning',
      message: translate('shell:fullscreen.unsupported'),
      key: 'fullscreen',
    })
  if (!document.fullscreenEnabled) return refused()
  await (
    document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen()
  ).catch(refused)
}

export function subscribeFullscreen(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export function isFullscreen(): boolean {
  return document.fullscreenElement !== null
}
