import { OverlaysProvider } from '@blueprintjs/core'
import { Toasts } from '#client/ui/Toasts.tsx'

/** The toasts stand beside the frame, so that the login page has them too. */
export function Messages() {
  return (
    <OverlaysProvider>
      <Toasts />
    </OverlaysProvider>
  )
}
