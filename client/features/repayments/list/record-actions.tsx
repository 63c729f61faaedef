/** Row actions of payments. */
import { lazyPart } from '#client/base/load-part.ts'
import { withdrawAction } from '#client/features/approvals/public.tsx'
import { linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { ListTools } from '#client/screen/list/list-types.ts'
import {
  addRecord,
  confirmRecord,
  keepRecord,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import { ConfirmPayment } from '../forms/ConfirmPayment.tsx'
import { confirmRefusal, failRefusal } from '../forms/payment-rules.ts'
import { KeepPayment } from '../forms/KeepPayment.tsx'
import { requestRefusal } from '../forms/request-refusal.ts'
import { ReversePayment } from '../forms/ReversePayment.tsx'
import type { RecordRow } from '../payment-types.ts'

// loads the form library, which the list itself does not need
const RepaymentForm = lazyPart(() =>
  import('../forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)

export const bookAction = panelAction<null>({
  id: 'add',
  endpoint: addRecord,
  text: 'action.add',
  panel: (_, { close }) => <RepaymentForm orderId={null} onClose={close} />,
})

const RESULTS = [
  { id: 'confirm', result: 'success', icon: 'tick', refusal: confirmRefusal },
  { id: 'fail', result: 'fail', icon: 'cross', intent: 'danger', refusal: failRefusal },
] as const

const confirmActions = RESULTS.map(({ result, refusal, ...look }) =>
  panelAction<RecordRow>({
    ...look,
    endpoint: confirmRecord,
    text: `confirm.${result}`,
    when: ({ payState }) => payState === 'inProgress',
    disabledReason: (record, { t, user }) => words(refusal(record, user.userId), t),
    panel: (record, { takeRow, close }) => (
      <ConfirmPayment payment={{ record, result }} onRow={takeRow} onClose={close} />
    ),
  }),
)

export const recordActions = [
  linkAction<RecordRow>({
    id: 'open',
    text: 'action.open',
    icon: 'document',
    // opens beside the list, which keeps its filters
    path({ recordId }) {
      const { pathname, search } = window.location
      const params = new URLSearchParams(search)
      params.set('open', recordId)
      return `${pathname}?${params}`
    },
  }),
  ...confirmActions,
  panelAction<RecordRow>({
    id: 'reverse',
    endpoint: reverseRecord,
    text: 'reverse.action',
    icon: 'undo',
    intent: 'danger',
    when: ({ payState }) => payState === 'success',
    disabledReason: (record, { t }) =>
      record.reversedTime === null
        ? requestRefusal(record, 'reversePayment', t)
        : t('refused.reversed'),
    panel: (record, { done, close }) => (
      <ReversePayment record={record} onDone={done} onClose={close} />
    ),
  }),
  panelAction<RecordRow>({
    id: 'keep',
    endpoint: keepRecord,
    text: 'keep.action',
    icon: 'tick',
    when: ({ conflictTime }) => conflictTime !== null,
    disabledReason: (record, { t }) => requestRefusal(record, 'paymentStands', t),
    panel: (record, { done, close }) => (
      <KeepPayment record={record} onDone={done} onClose={close} />
    ),
  }),
  withdrawAction,
]

function words(key: string | null, t: ListTools['t']): string | null {
  return key === null ? null : t(key)
}
