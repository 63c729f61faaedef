/** Links of ids to customers and orders, for those who see all customers. */
import { useMemo } from 'react'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { customerPath } from '#client/features/customers/public.tsx'

/** Others may have contacted a customer whom somebody else has now. */
export function useIdLinks<Row extends { userId: string }>(
  columns: readonly GridColumn<Row>[],
  from: string,
): readonly GridColumn<Row>[] {
  const { user, index } = useSession()
  const opens = user.scope.kind === 'all' && index.byName.has('info')
  const linked = useMemo(
    () => (opens ? withLinks(columns, { userId: ({ userId }) => customerPath(userId) }) : columns),
    [columns, opens],
  )
  return useRowLinks(linked, from)
}
