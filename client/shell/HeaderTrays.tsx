import { lazyPart } from '#client/base/load-part.ts'
import { openPanel } from '#client/screen/panel-store.ts'
import { hasOverlay } from '#client/ui/frame/overlay.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'

const NotificationTrays = lazyPart(
  () =>
    import('#client/features/notifications/public.tsx').then((m) => ({
      default: m.NotificationTrays,
    })),
  () => <span className="trays-coming" />,
)

/** Notifications and jobs; their space is reserved while they load. */
export function HeaderTrays() {
  useShortcuts('everywhere', [
    {
      id: 'news',
      code: 'Alt+Shift+KeyN',
      labelKey: 'shell:shortcuts.news',
      run: () => openPanel('notifications'),
      when: () => !hasOverlay(),
    },
  ])
  return <NotificationTrays />
}
