/** What can be done with failed disbursements. */
import { lazyPart } from '#client/base/load-part.ts'
import { withdrawAction } from '#client/features/approvals/public.tsx'
import { forRow, panelAction, previewAction } from '#client/screen/list/list-actions.ts'
import type { ListAction, ListTools } from '#client/screen/list/list-types.ts'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import {
  cancelDisbursement,
  handleTransfer,
  previewFailed,
  redisburse,
} from '#shared/orders/disbursement-api.ts'
import { openOrderAction } from '../list/order-actions.tsx'
import type { WaitRow } from './loan-columns.ts'
import type { RetryRequest } from './RetryQuestion.tsx'

// these load the form library and the parts of the question, which the list itself does not need
const HandleForm = lazyPart(() =>
  import('./HandleForm.tsx').then((m) => ({ default: m.HandleForm })),
)
const RetryQuestion = lazyPart(() =>
  import('./RetryQuestion.tsx').then((m) => ({ default: m.RetryQuestion })),
)

export const retryMany = questionOf('redisburse', redisburse, { icon: 'redo', intent: 'primary' })
export const cancelMany = questionOf('cancel', cancelDisbursement, {
  icon: 'ban-circle',
  intent: 'danger',
  variant: 'outlined',
})

export const waitActions = [
  openOrderAction<WaitRow>('wait_relent'),
  forRow(retryMany, {
    intent: undefined,
    disabledReason: (row, tools) =>
      whyNotFailed(row, tools) ??
      alreadyRequested(row, 'redisburse', tools.t) ??
      (row.resend === 'ready' ? null : tools.t(`problems:orderRule.${row.resend}`)),
  }),
  panelAction<WaitRow>({
    id: 'handle',
    endpoint: handleTransfer,
    text: 'wait.handle',
    icon: 'take-action',
    disabledReason: whyNotFailed,
    panel: (row, { done, close }) => (
      <HandleForm
        transfer={{ ...row, version: row.transferVersion, amount: row.arrivalAmount }}
        onDone={done}
        onClose={close}
      />
    ),
  }),
  withdrawAction,
  forRow(cancelMany, { separated: true, disabledReason: whyNotFailed }),
]

/** Shows first which of the orders it would concern, and why not the others. */
function questionOf(
  action: RetryRequest['action'],
  endpoint: Endpoint,
  look: Pick<ListAction<readonly WaitRow[]>, 'icon' | 'intent' | 'variant'>,
): ListAction<readonly WaitRow[]> {
  return previewAction<typeof previewFailed, readonly WaitRow[]>({
    ...look,
    id: action,
    endpoint,
    text: `wait.${action}`,
    preview: previewFailed,
    input: (rows) => ({ orderIds: rows.map(({ orderId }) => orderId), action }),
    panel: (_, answer, { sendBulk, close }) => (
      <RetryQuestion request={{ action, ...answer }} run={sendBulk} onClose={close} />
    ),
  })
}

function whyNotFailed({ status }: WaitRow, { t }: ListTools): string | null {
  return status === 31 ? null : t('refused.notFailed')
}
