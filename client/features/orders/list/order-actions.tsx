/** Row actions of orders. */
import { lazyPart } from '#client/base/load-part.ts'
import { withdrawAction } from '#client/features/approvals/public.tsx'
import { revealAction } from '#client/features/customers/public.tsx'
import { linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { ListAction } from '#client/screen/list/list-types.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { canCancel, canCure, canExit } from '../order-rules.ts'
import type { OrderRow } from '../order-types.ts'
import { statusWord } from '../order-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'

// These load forms, dialogs and other features, which the list itself does not need.
const CancelOrder = lazyPart(() =>
  import('../CancelOrder.tsx').then((m) => ({ default: m.CancelOrder })),
)
const OrderForm = lazyPart(() => import('./OrderForm.tsx').then((m) => ({ default: m.OrderForm })))

/** @param menu the list that the back link of the order leads to */
export function openOrderAction<Row extends { orderId: string }>(menu: string): ListAction<Row> {
  return linkAction<Row>({
    id: 'open',
    text: 'action.open',
    icon: 'document',
    path: ({ orderId }) => orderPath(orderId, menu),
  })
}

export const revealPhoneAction = revealAction<OrderRow>(
  'action.revealPhone',
  ({ userId, userName, phone }) => ({
    userId,
    name: userName,
    field: { name: 'phone', value: phone },
  }),
)

export const orderActions = [
  openOrderAction<OrderRow>('order_list'),
  revealPhoneAction,
  panelAction<OrderRow>({
    id: 'remark',
    endpoint: remarkOrder,
    text: 'action.remark',
    icon: 'comment',
    panel: ({ orderId }, { close }) => (
      <OrderForm request={{ what: 'remark', orderId }} onClose={close} />
    ),
  }),
  panelAction<OrderRow>({
    id: 'coolingOff',
    endpoint: exitCoolingOff,
    text: 'action.coolingOff',
    icon: 'undo',
    disabledReason: ({ status, coolingOffUntil }, { t }) =>
      canExit(status, coolingOffUntil, serverNow()) ? null : t('refused.coolingOff'),
    panel: ({ orderId }, { close }) => (
      <OrderForm request={{ what: 'coolingOff', orderId }} onClose={close} />
    ),
  }),
  panelAction<OrderRow>({
    id: 'cure',
    endpoint: cureOrder,
    text: 'action.cure',
    icon: 'calendar',
    disabledReason: (order, { t }) =>
      canCure(order.status) ? alreadyRequested(order, 'cure', t) : t('refused.cure'),
    panel: ({ orderId }, { close }) => (
      <OrderForm request={{ what: 'cure', orderId }} onClose={close} />
    ),
  }),
  withdrawAction,
  panelAction<OrderRow>({
    id: 'cancel',
    endpoint: cancelOrder,
    text: 'action.cancel',
    icon: 'ban-circle',
    intent: 'danger',
    separated: true,
    disabledReason: ({ status }, { t }) =>
      canCancel(status) ? null : t('cancel.refused', { status: statusWord(status, t) }),
    panel: (order, { fresh, takeRow, close }) => (
      <CancelOrder order={fresh(order)} onRow={takeRow} onClose={close} />
    ),
  }),
]
