import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { ORDER_QUICK_VIEWS } from '#shared/orders/orders-api.ts'
import { QUICK_VIEWS, quickViewOf } from './order-filters.ts'

const VIEWS = ['all', ...ORDER_QUICK_VIEWS] as const

/** Filter presets for the statuses staff work by. */
export function QuickViews({
  chosen,
  onChoose,
}: {
  chosen: readonly string[] | undefined
  onChoose: (statuses: readonly string[] | undefined) => void
}): ReactNode {
  const t = useText('orders')
  return (
    <ViewChips
      views={VIEWS}
      chosen={quickViewOf(chosen)}
      textOf={(view) => t(`quick.${view}`)}
      onChoose={(view) => onChoose(view === 'all' ? undefined : QUICK_VIEWS[view].map(String))}
    />
  )
}
