/**
 * The signed-in part: the frame, or a redirect to the requested page. A chunk of its own, so that
 * the login does not load the table of screens.
 */
import { lazyPart } from '#client/base/load-part.ts'
import { registerScreens } from '#client/base/screens.ts'
import { onSessionEnd } from '#client/session/session-end.ts'
import { hasSignedIn, useSession } from '#client/session/session-store.ts'
import { Frame } from '#client/shell/Frame.tsx'
import { forgetFaces, provideFaces } from '#client/ui/value/faces.ts'
import { type GridSlots, GridSlotsContext } from '#client/ui/grid/grid-slots.ts'
import { SCREENS } from './features.ts'
import { knowsPath } from '#client/session/routes.ts'
import { useGuard } from './use-guard.ts'

const Settle = lazyPart(
  () =>
    import('#client/features/session/account/SettleScreen.tsx').then((m) => ({
      default: m.SettleScreen,
    })),
  () => <div className="app-loading" role="status" />,
)

/** Of people who review. */
const HandoverOffers = lazyPart(() =>
  import('#client/features/review/HandoverOffers.tsx').then((m) => ({
    default: m.HandoverOffers,
  })),
)

/** The controls shown around every list. */
const GRID_SLOTS: GridSlots = {
  Views: lazyPart(() =>
    import('#client/features/views/ViewsMenu.tsx').then((m) => ({ default: m.ViewsMenu })),
  ),
  Limit: lazyPart(() =>
    import('#client/features/reports/LimitButton.tsx').then((m) => ({ default: m.LimitButton })),
  ),
  Morning: lazyPart(() =>
    import('#client/features/reports/MorningMenu.tsx').then((m) => ({ default: m.MorningMenu })),
  ),
  Export: lazyPart(() =>
    import('#client/features/exports/ExportMenu.tsx').then((m) => ({ default: m.ExportMenu })),
  ),
}

registerScreens(SCREENS)
// The screen of this address loads while the session is read; most are named by their path, and one
// that the session may not open is not shown.
SCREENS.screens[location.pathname.slice(1)]?.().catch(() => {})
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
    return <Settle />
  }
  return shown === 'frame' ? (
    <GridSlotsContext value={GRID_SLOTS}>
      <Frame />
      {index.byName.get('review_list')?.btnPermissions.includes('review_list:claim') ? (
        <HandoverOffers />
      ) : null}
    </GridSlotsContext>
  ) : null
}
