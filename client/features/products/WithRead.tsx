/** A drawer that reads the record its form edits each time it opens. */
import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'

export function WithRead<E extends Endpoint>({
  read,
  input,
  title,
  onClose,
  children,
}: {
  read: E
  input: InputOf<E>
  title: string
  onClose: () => void
  children: (data: DataOf<E>) => ReactNode
}): ReactNode {
  const found = useQuery({
    ...queryOf(read, input, { quiet: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (found.data !== undefined) return children(found.data)
  return (
    <SideDrawer isOpen title={title} onClose={onClose}>
      {found.error ? (
        <ErrorPane error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Spinner size={32} className="products-wait" />
      )}
    </SideDrawer>
  )
}
