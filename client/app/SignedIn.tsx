/**
 * The signed-in part: the frame, or a redirect to the requested page. A chunk of its own, so that
 * the login does not load the table of screens.
 */
import { lazy, Suspense } from 'react'
import { registerScreens } from '#client/base/screens.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import { hasSignedIn, useSession } from '#client/session/session-store.ts'
import { Frame } from '#client/shell/Frame.tsx'
import { forgetFaces, provideFaces } from '#client/ui/value/faces.ts'
import { type GridSlots, GridSlotsContext } from '#client/ui/grid/grid-slots.ts'
import { SCREENS } from './features.ts'
import { knowsPath } from '#client/session/routes.ts'
import { useGuard } from './use-guard.ts'

const Settle = lazy(() =>
  import('#client/features/session/account/SettleScreen.tsx').then((m) => ({
    default: m.SettleScreen,
  })),
)

/** Of people who review. */
const HandoverOffers = lazy(() =>
  import('#client/features/review/HandoverOffers.tsx').then((m) => ({
    default: m.HandoverOffers,
  })),
)

/** The controls shown around every list. */
const GRID_SLOTS: GridSlots = {
  Views: lazy(() =>
    import('#client/features/views/ViewsMenu.tsx').then((m) => ({ default: m.ViewsMenu })),
  ),
  Limit: lazy(() =>
    import('#client/features/reports/LimitButton.tsx').then((m) => ({ default: m.LimitButton })),
  ),
  Morning: lazy(() =>
    import('#client/features/reports/MorningMenu.tsx').then((m) => ({ default: m.MorningMenu })),
  ),
  Export: lazy(() =>
    import('#client/features/exports/ExportMenu.tsx').then((m) => ({ default: m.ExportMenu })),
  ),
}

registerScreens(SCREENS)
provideFaces(async (userId, fileId) =>
  (await import('#client/session/fetch-face.ts')).fetchFace(userId, fileId),
)
onSessionEnd(forgetFaces)

export function SignedIn() {
  const { user, index } = useSession()
  const shown = useGuard({
    session: 'ready',
    remember: true,
    hasSignedIn: hasSignedIn(),
    landing: user.landing,
    knows: (path) => knowsPath({ index, ...SCREENS }, path),
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
      {index.byName.get('review_list')?.btnPermissions.includes('review_list:claim') ? (
        <Suspense fallback={null}>
          <HandoverOffers />
        </Suspense>
      ) : null}
    </GridSlotsContext>
  ) : null
}
