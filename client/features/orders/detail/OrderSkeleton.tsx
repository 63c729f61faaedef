import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Placeholder shown until the order is first loaded. */
export function OrderSkeleton(): ReactNode {
  const { t } = useTranslation('ui')
  return (
    <div className="order order-skeleton" role="status" aria-label={t('grid.loading')}>
      <span className="bp6-skeleton" />
      <span className="bp6-skeleton" />
      <span className="bp6-skeleton" />
      <div className="order-body">
        <span className="bp6-skeleton" />
        <span className="bp6-skeleton" />
      </div>
    </div>
  )
}
