/** What a list shows in place of rows: an error, the first load, an empty answer. */
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { useRetryKey } from '#client/ui/feedback/use-retry-key.ts'
import type { DataGridProps } from './data-grid-types.ts'

const SKELETON_ROWS = 12

export function GridFailure(props: { error: unknown; onRetry: () => void }): ReactNode {
  const t = useText('ui')
  useRetryKey(true)
  return (
    <div className="grid-error" role="alert">
      {t('grid.failed', { why: failureText(props.error) })}
      <Button
        size="small"
        icon="refresh"
        text={t('grid.retry')}
        onClick={props.onRetry}
        data-shortcut="KeyR"
      />
    </div>
  )
}

export function GridSkeleton(): ReactNode {
  const t = useText('ui')
  return (
    <div className="grid-skeleton" role="status" aria-label={t('grid.loading')}>
      {Array.from({ length: SKELETON_ROWS }, (_, i) => (
        <span key={i} className="bp6-skeleton" />
      ))}
    </div>
  )
}

export function GridEmpty<Row extends object>({
  filters,
  filterNames = [],
  fault,
  query,
  emptyReason,
}: Pick<DataGridProps<Row>, 'filters' | 'fault' | 'query' | 'emptyReason'> & {
  filterNames: readonly string[] | undefined
}): ReactNode {
  const t = useText('ui')
  const isFiltered = filters !== undefined && filters.activeFilters > 0
  return (
    <div className="grid-empty">
      {isFiltered ? (
        <Empty
          reason={
            filterNames.length === 0
              ? t('grid.noMatch')
              : t('grid.noMatchOf', { names: filterNames.join(' · ') })
          }
          hint={fault ?? (query.hasNoId ? t('grid.noId') : undefined)}
          action={{ text: t('filter.clearAll'), onClick: filters.resetFilters }}
        />
      ) : (
        <Empty
          reason={fault ?? emptyReason?.text ?? t('grid.empty')}
          hint={fault === undefined ? emptyReason?.hint : undefined}
          action={emptyReason?.action}
        />
      )}
    </div>
  )
}
