/**
 * Links of a ticket row to its customer, order and case, each only when the person has access to
 * that page.
 */
import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import { opensOrders } from '#client/features/orders/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import type { TicketMenu, TicketRow } from '../ticket-types.ts'
import { CASE_MENUS } from '../ticket-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'
import { casePath } from '#shared/collection/case-path.ts'

/** @param from the menu that the back link leads to */
export function useTicketLinks(
  columns: readonly GridColumn<TicketRow>[],
  from: TicketMenu,
): readonly GridColumn<TicketRow>[] {
  const { index } = useSession()
  return useMemo(() => {
    const sees = (menus: readonly string[]) => menus.some((menu) => index.byName.has(menu))
    const links: Partial<Record<string, (row: TicketRow) => string>> = {
      ...(sees(['info']) && { userName: ({ userId }: TicketRow) => customerPath(userId) }),
      ...(opensOrders(index) && {
        orderId: ({ orderId }: TicketRow) => (orderId === null ? '' : orderPath(orderId, from)),
      }),
      ...(sees(CASE_MENUS) && {
        caseId: ({ caseId }: TicketRow) => (caseId === null ? '' : casePath(caseId, from)),
      }),
    }
    return withLinks(columns, links)
  }, [columns, from, index])
}
