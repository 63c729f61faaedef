/** Row actions of payout attempts. */
import { lazyPart } from '#client/base/load-part.ts'
import { revealAction } from '#client/features/customers/public.tsx'
import { panelAction, runAction } from '#client/screen/list/list-actions.ts'
import { copyText } from '#client/ui/value/copy.ts'
import {
  bookStrayReturn,
  endTransfer,
  handleTransfer,
  resolveTransfer,
} from '#shared/orders/disbursement-api.ts'
import { openOrderAction } from '../list/order-actions.tsx'
import type { TransferRow } from './loan-columns.ts'

// these load the form library, which the list itself does not need
const EndForm = lazyPart(() => import('./EndForm.tsx').then((m) => ({ default: m.EndForm })))
const HandleForm = lazyPart(() =>
  import('./HandleForm.tsx').then((m) => ({ default: m.HandleForm })),
)
const ResolveForm = lazyPart(() =>
  import('./ResolveForm.tsx').then((m) => ({ default: m.ResolveForm })),
)
const ReturnForm = lazyPart(() =>
  import('./ReturnForm.tsx').then((m) => ({ default: m.ReturnForm })),
)

export const transferActions = [
  openOrderAction<TransferRow>('loan_list'),
  runAction<TransferRow>({
    id: 'copy',
    text: 'loan.copyPlatformNo',
    icon: 'duplicate',
    run: ({ platformOrderNo }) => copyText(platformOrderNo),
  }),
  runAction<TransferRow>({
    id: 'copyVendor',
    text: 'loan.copyVendorNo',
    icon: 'duplicate',
    disabledReason: ({ vendorOrderNo }, { t }) =>
      vendorOrderNo === null ? t('loan.noVendorNo') : null,
    run: ({ vendorOrderNo }) => copyText(vendorOrderNo ?? ''),
  }),
  revealAction<TransferRow>(
    'action.revealAccount',
    ({ userId, payeeName, account, transferId }) => ({
      userId,
      name: payeeName,
      field: { name: 'account', value: account, transferId },
    }),
  ),
  panelAction<TransferRow>({
    id: 'handle',
    endpoint: handleTransfer,
    text: 'wait.handle',
    icon: 'take-action',
    disabledReason: ({ waits }, { t }) => (waits ? null : t('refused.notFailed')),
    panel: (transfer, { done, close }) => (
      <HandleForm transfer={transfer} onDone={done} onClose={close} />
    ),
  }),
  panelAction<TransferRow>({
    id: 'end',
    endpoint: endTransfer,
    text: 'transfers:end.action',
    icon: 'endorsed',
    when: ({ payState, lostTime, lateTime }) =>
      payState === 'inProgress' && (lostTime !== null || lateTime !== null),
    panel: (transfer, { done, close }) => (
      <EndForm transfer={transfer} onDone={done} onClose={close} />
    ),
  }),
  panelAction<TransferRow>({
    id: 'resolve',
    endpoint: resolveTransfer,
    text: 'transfers:resolve.action',
    icon: 'issue',
    when: ({ conflict, conflictOutcome }) => conflict !== null && conflictOutcome === null,
    panel: (transfer, { done, close }) => (
      <ResolveForm transfer={transfer} onDone={done} onClose={close} />
    ),
  }),
  panelAction<TransferRow>({
    id: 'return',
    endpoint: bookStrayReturn,
    text: 'transfers:stray.action',
    icon: 'undo',
    when: ({ strayOpen }) => strayOpen > 0,
    panel: (transfer, { done, close }) => (
      <ReturnForm transfer={transfer} onDone={done} onClose={close} />
    ),
  }),
]
