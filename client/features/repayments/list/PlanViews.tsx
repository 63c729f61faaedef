/** Preset views of the list. Any other combination of filters selects none of them. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { serverNow } from '#client/session/server-clock.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { PlanFilters } from './plan-filters.ts'

const VIEWS = ['all', 'today', 'soon', 'overdue', 'processing', 'paid'] as const
type View = (typeof VIEWS)[number]
const SOON_DAYS = 7
const OPEN = ['unpaid', 'partlyPaid', 'processing', 'overdue'] as const

/** The filters a view sets; it clears the others of the two. */
export function filtersOf(
  view: View,
  today: string,
): Pick<PlanFilters, 'paymentStatus' | 'dueTime'> {
  const none = { paymentStatus: undefined, dueTime: undefined }
  if (view === 'today') return { ...none, paymentStatus: OPEN, dueTime: { from: today, to: today } }
  if (view === 'soon')
    return {
      ...none,
      paymentStatus: OPEN,
      dueTime: { from: addDays(today, 1), to: addDays(today, SOON_DAYS) },
    }
  return view === 'all' ? none : { ...none, paymentStatus: [view] }
}

export function PlanViews({
  filters,
  onChoose,
}: {
  filters: PlanFilters
  onChoose: (change: Partial<PlanFilters>) => void
}): ReactNode {
  const t = useText('repayments')
  const today = istDay(serverNow())
  const filtersKey = fingerprint(filters)
  const chosen = VIEWS.find((view) => fingerprint(filtersOf(view, today)) === filtersKey) ?? null
  return (
    <ViewChips
      views={VIEWS}
      chosen={chosen}
      textOf={(view) => t(`view.${view}`, { days: SOON_DAYS })}
      onChoose={(view) => onChoose(filtersOf(view, today))}
    />
  )
}

function fingerprint({
  paymentStatus,
  dueTime,
}: Pick<PlanFilters, 'paymentStatus' | 'dueTime'>): string {
  return JSON.stringify([
    [...(paymentStatus ?? [])].toSorted(),
    dueTime?.from ?? '',
    dueTime?.to ?? '',
  ])
}
