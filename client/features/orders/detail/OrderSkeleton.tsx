import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

/** Placeholder shown until the order is first loaded. */
export function OrderSkeleton(): ReactNode {
  const t = useText('ui')
  return (
    <div className="order order-skeleton" role="status" aria-label={t('grid.loading')}>
      <span className="bp6-skeleton" />
      <span className="bp6-skeleton" />
      <span className="bp6-skeleton" />
      <div className="detail-body">
        <span className="bp6-skeleton" />
        <span className="bp6-skeleton" />
      </div>
    </div>
  )
}
