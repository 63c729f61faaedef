/** Inside of a session: the frame, or the way to the page that was asked for. A chunk of its own: the login loads no table of screens. */
import { lazy, Suspense } from 'react'
import { useSession } from '#client/session/session-store.ts'
import { Frame } from '#client/shell/Frame.tsx'
import { type GridSlots, GridSlotsContext } from '#client/ui/grid-slots.ts'
import { CONSTANTS, DETAILS, SCREENS } from './features.ts'
import { knowsPath } from './routes.ts'
import { useGuard } from './use-guard.ts'

const Settle = lazy(() =>
  import('#client/features/session/account/SettleScreen.tsx').then((m) => ({
    default: m.SettleScreen,
  })),
)

/** What stands around every list. */
const GRID_SLOTS: GridSlots = {
  Views: lazy(() =>
    import('#client/features/views/ViewsMenu.tsx').then((m) => ({ default: m.ViewsMenu })),
  ),
  Export: lazy(() =>
    import('#client/features/exports/ExportMenu.tsx').then((m) => ({ default: m.ExportMenu })),
  ),
}

export function SignedIn() {
  const { user, index } = useSession()
  const shown = useGuard({
    session: 'ready',
    remember: true,
    landing: user.landing,
    knows: (path) =>
      knowsPath({ index, screens: SCREENS, details: DETAILS, constants: CONSTANTS }, path),
  })
  if (user.mustChange || user.mustEnrol) {
    return (
      <Suspense fallback={<div className="app-loading" role="status" />}>
        <Settle />
      </Suspense>
    )
  }
  return shown === 'frame' ? (
    <GridSlotsContext value={GRID_SLOTS}>
      <Frame />
    </GridSlotsContext>
  ) : null
}
