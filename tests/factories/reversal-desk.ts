/** A manage in which payments come in, are reversed by two people, and the cases follow. */
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { repaymentsRoutes } from '#gateway/manage/features/repayments/repayments-routes.ts'
import { reversalApproval } from '#gateway/manage/features/repayments/reversal/request-reversal.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

export interface ReversalDesk {
  floor: Floor
  manager: Person
  other: Person
  director: Person
  channel: Machine
}

export async function reversalDesk(): Promise<ReversalDesk> {
  const floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, { kinds: [reversalApproval([casePaid])] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  const [manager, other, director, channel] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('manager2'),
    floor.signIn('director'),
    machineOf(floor, ['payment']),
  ])
  return { floor, manager, other, director, channel }
}
