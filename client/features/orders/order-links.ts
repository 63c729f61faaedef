/**
 * Links to orders, and from a list row to its customer, order and review. Each link is shown only
 * to users who have the target page.
 */
import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import type { MenuIndex } from '#client/session/menu.ts'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import { orderPath } from '#shared/orders/order-path.ts'
import { reviewPath } from '#shared/review/review-path.ts'

/** Whether a session with this menu may open orders at all; its data scope decides which ones. */
export function opensOrders(index: MenuIndex): boolean {
  return ORDER_VIEWERS.some((menu) => index.byName.has(menu))
}

/** The ids a row may carry. */
interface Named {
  userId?: string | null
  orderId?: string | null
  reviewId?: string | null
  closeTime?: string | null
}

/**
 * @param from the menu that the back link leads to
 * @returns the columns; the same array as long as the session is the same
 */
export function useRowLinks<Row extends object>(
  columns: readonly GridColumn<Row>[],
  from: string,
): readonly GridColumn<Row>[] {
  const { user, index } = useSession()
  const seesAll = user.scope.kind === 'all'
  return useMemo(() => {
    const links: Partial<Record<string, (row: Named) => string>> = {
      // users who see customers through cases lose access when the loan ends
      ...(index.byName.has('info') && {
        userName: ({ userId, closeTime }: Named) =>
          !userId || (closeTime && !seesAll) ? '' : customerPath(userId),
      }),
      ...(opensOrders(index) && {
        orderId: ({ orderId }: Named) => (orderId ? orderPath(orderId, from) : ''),
      }),
      ...(index.byName.has('review_list') && {
        reviewId: ({ reviewId }: Named) => (reviewId ? reviewPath(reviewId) : ''),
      }),
    }
    return withLinks(columns, links)
  }, [columns, from, index, seesAll])
}
