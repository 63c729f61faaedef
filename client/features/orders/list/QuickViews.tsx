import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ORDER_QUICK_VIEWS } from '#shared/orders/orders-api.ts'
import { QUICK_VIEWS, type QuickView, quickViewOf } from './order-filters.ts'

/** The statuses people work by, one press each; a choice of one's own presses none of them. */
export function QuickViews({ chosen, onChoose }: { chosen: readonly string[] | undefined; onChoose: (statuses: readonly string[] | undefined) => void }): ReactNode {
  const { t } = useTranslation('orders')
  const now = quickViewOf(chosen)
  const chip = (view: QuickView | 'all') => (
    <button key={view} type="button" className="quick-view" aria-pressed={now === view} onClick={() => onChoose(view === 'all' ? undefined : QUICK_VIEWS[view].map(String))}>
      {t(`quick.${view}`)}
    </button>
  )
  return (
    <div className="quick-views" role="group" aria-label={t('quick.label')}>
      {chip('all')}
      {ORDER_QUICK_VIEWS.map(chip)}
    </div>
  )
}
