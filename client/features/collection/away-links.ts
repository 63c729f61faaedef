/** Links of the lists of collection to what a row is about: its customer, its loan, its payment; a link stands where the role has that page. */
import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import { opensOrders, orderPath } from '#client/features/orders/public.tsx'
import { recordPath } from '#client/features/repayments/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/away-cell.ts'
import type { GridColumn } from '#client/ui/grid-columns.ts'
import { LEFT_ENDS } from '#shared/collection/collection-sets.ts'

/** The row is a case as it left the viewer's unit: it goes on elsewhere and opens no more. */
export function hasLeft({ endReason }: { endReason?: string | null }): boolean {
  return LEFT_ENDS.some((end) => end === endReason)
}

/** What a row may name. */
interface Named {
  orderId?: string
  recordId?: string
  userId?: string
  state?: string
  endReason?: string | null
}

/** @param from the menu a way back leads to @returns the columns, the same ones as long as the session is the same */
export function useAwayLinks<Row extends Named>(
  columns: readonly GridColumn<Row>[],
  from: string,
): readonly GridColumn<Row>[] {
  const { user, index } = useSession()
  const seesAll = user.scope.kind === 'all'
  return useMemo(() => {
    const links: Partial<Record<string, (row: Row) => string>> = {
      ...(opensOrders(index) && {
        orderId: (row: Row) =>
          row.orderId === undefined || hasLeft(row) ? '' : orderPath(row.orderId, from),
      }),
      ...(index.byName.has('repay_record') && {
        recordId: ({ recordId }: Row) => (recordId === undefined ? '' : recordPath(recordId)),
      }),
      // whose case is closed, or left, is his customer no longer; a record of a contact does not say whether it is
      ...(index.byName.has('info') && {
        userName: (row: Row) =>
          row.userId === undefined ||
          hasLeft(row) ||
          ((row.state ?? 'closed') === 'closed' && !seesAll)
            ? ''
            : customerPath(row.userId),
      }),
    }
    return withLinks(columns, links)
  }, [columns, from, index, seesAll])
}
