import { useMemo } from 'react'
import { customerPath } from '#client/features/customers/public.tsx'
import { proofPath } from '#client/features/repayments/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import type { StopRow } from '../desk/case-types.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

/** Links to the customer, the ticket and the proof, where the role has that page. */
export function useStopLinks(
  columns: readonly GridColumn<StopRow>[],
): readonly GridColumn<StopRow>[] {
  const { user, index } = useSession()
  const seesAll = user.scope.kind === 'all'
  return useMemo(() => {
    const links: Partial<Record<string, (row: StopRow) => string>> = {
      // only a viewer of scope all sees a customer without an open case
      ...(index.byName.has('info') && {
        userName: ({ userId, orderIds }: StopRow) =>
          seesAll || orderIds.length > 0 ? customerPath(userId) : '',
      }),
      ...(index.byName.has('loaned_ticket') && {
        ticketId: ({ ticketId }: StopRow) =>
          ticketId === null ? '' : ticketPath(ticketId, 'loaned_ticket'),
      }),
      ...(index.byName.has('repay_proof') && {
        proofId: ({ proofId }: StopRow) => (proofId === null ? '' : proofPath(proofId)),
      }),
    }
    return withLinks(columns, links)
  }, [columns, index, seesAll])
}
