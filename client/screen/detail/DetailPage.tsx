import './detail.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { CallError } from '#client/session/call-error.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'

interface DetailPageProps<T> {
  /** What a feature's detail hook gives. */
  reading: {
    detail: T | undefined
    error: unknown
    isFetching: boolean
    reread: () => void
  }
  /** Said where the id is unknown or outside of the reader's scope; `id` is below it. */
  missing: string
  id: string
  leave: { run: () => void; text?: string }
  skeleton?: ReactNode
  children: (detail: T) => ReactNode
}

/** Frame of a detail page: missing, failed, loading, or shown; a failed refresh is shown above it. */
export function DetailPage<T>({
  reading: { detail, error, isFetching, reread },
  missing,
  id,
  leave,
  skeleton,
  children,
}: DetailPageProps<T>): ReactNode {
  const t = useText('ui')
  if (error instanceof CallError && error.problem?.id === NOT_FOUND.id) {
    return (
      <>
        <h1 className="visually-hidden">{missing}</h1>
        <Empty
          icon="search"
          reason={missing}
          hint={id}
          action={{ text: leave.text ?? t('detail.back'), onClick: leave.run }}
        />
      </>
    )
  }
  if (detail === undefined)
    return error ? <ErrorPane error={error} onRetry={reread} /> : (skeleton ?? <LinesSkeleton />)
  return (
    <div className="detail" aria-busy={isFetching}>
      {error ? (
        <p className="detail-stale" role="alert">
          {t('detail.stale', { why: failureText(error) })}
        </p>
      ) : null}
      {children(detail)}
    </div>
  )
}

function LinesSkeleton(): ReactNode {
  const t = useText('ui')
  return (
    <div className="grid-skeleton" role="status" aria-label={t('grid.loading')}>
      {Array.from({ length: 8 }, (_, i) => (
        <span key={i} className="bp6-skeleton" />
      ))}
    </div>
  )
}
