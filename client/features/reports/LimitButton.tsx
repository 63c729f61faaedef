/** Sets a limit of a figure of the report that is shown, with its filters. */
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { permits } from '#client/session/menu.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { LimitSlot } from '#client/ui/grid/grid-slots.ts'
import { ALERT_REPORT_NAMES, alertFilters, alertReport } from '#shared/reports/alert-reports.ts'
import { saveAlert } from '#shared/reports/alerts-api.ts'

// brings the form library, which the report itself does not need
const AlertForm = lazyPart(() => import('./AlertForm.tsx').then((m) => ({ default: m.AlertForm })))

export function LimitButton({ source: { endpoint, input } }: LimitSlot): ReactNode {
  const { index } = useSession()
  const t = useText('reports')
  const [isOpen, setOpen] = useState(false)
  const report = ALERT_REPORT_NAMES.find((name) => alertReport(name).endpoint === endpoint)
  // the limits are on another page
  const codes = index.byName.get(saveAlert.menu ?? '')?.btnPermissions ?? []
  if (report === undefined || !permits(saveAlert.access, codes)) return null
  const { groupBy } = input
  const kept = alertFilters(report).flatMap((name) =>
    typeof input[name] === 'string' ? [[name, input[name]] as const] : [],
  )
  return (
    <>
      <ActionButton
        variant="minimal"
        icon="notifications"
        aria-label={t('alert.add')}
        title={t('alert.add')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <AlertForm
          alert={null}
          draft={{
            report,
            filters: Object.fromEntries(kept),
            ...(typeof groupBy === 'string' && { partGroup: groupBy }),
          }}
          onDone={() => {}}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
