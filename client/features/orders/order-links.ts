/** Links to orders, and from the row of a list to its customer, its order and its review: each stands where the person has that page. */
import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import type { MenuIndex } from '#client/session/menu.ts'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/away-cell.ts'
import type { GridColumn } from '#client/ui/grid-columns.ts'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import { orderPath, reviewPath } from './order-words.ts'

/** Whether a session with this menu may open orders at all; which ones says its data scope. */
export function opensOrders(index: MenuIndex): boolean {
  return ORDER_VIEWERS.some((menu) => index.byName.has(menu))
}

/** What a row may name. */
interface Named {
  userId?: string | null
  orderId?: string | null
  reviewId?: string | null
  closeTime?: string | null
}

/** @param from the menu a way back leads to @returns the columns, the same ones as long as the session is the same */
export function useRowLinks<Row extends object>(
  columns: readonly GridColumn<Row>[],
  from: string,
): readonly GridColumn<Row>[] {
  const { user, index } = useSession()
  const seesAll = user.scope.kind === 'all'
  return useMemo(() => {
    const links: Partial<Record<string, (row: Named) => string>> = {
      // who sees through cases loses sight of a customer when his loan ends
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
