/**
 * Links from the rows of collection lists to the customer, loan or payment of a row. A link is
 * shown where the role has that page.
 */
import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import { opensOrders } from '#client/features/orders/public.tsx'
import { recordPath } from '#client/features/repayments/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { LEFT_ENDS } from '#shared/collection/collection-sets.ts'
import { orderPath } from '#shared/orders/order-path.ts'

/** The row is a case as it left the viewer's unit: another unit has it and it cannot be opened. */
export function hasLeft({ endReason }: { endReason?: string | null }): boolean {
  return LEFT_ENDS.some((end) => end === endReason)
}

/** What a row may refer to. */
interface Named {
  orderId?: string
  recordId?: string
  userId?: string
  state?: string
  endReason?: string | null
}

/**
 * @param from the menu the page links back to
 * @returns the columns, the same instance while the session is the same
 */
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
      // the customer of a closed or left case is out of the viewer's scope; a record of a contact
      // does not say whether the case is
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
