/** Row actions of instalments. */
import { lazyPart } from '#client/base/load-part.ts'
import { linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { ListTools } from '#client/screen/list/list-types.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { addRecord } from '#shared/repayments/repayments-api.ts'
import { sendLink } from '#shared/repayments/links-api.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import type { PlanRow } from '../payment-types.ts'
import { planPath } from '#shared/repayments/plan-path.ts'

// these load the form library, which the list itself does not need
const WriteOffForm = lazyPart(() =>
  import('../writeoffs/WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)
const LinkForm = lazyPart(() =>
  import('../forms/LinkForm.tsx').then((m) => ({ default: m.LinkForm })),
)
const ReduceForm = lazyPart(() =>
  import('../reductions/ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })),
)
const RepaymentForm = lazyPart(() =>
  import('../forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)

export const planActions = [
  linkAction<PlanRow>({
    id: 'open',
    text: 'action.open',
    icon: 'document',
    path: ({ planId }) => planPath(planId, 'repay_plan'),
  }),
  panelAction<PlanRow>({
    id: 'add',
    endpoint: addRecord,
    text: 'action.add',
    icon: 'plus',
    disabledReason: whyUnpayable,
    panel: ({ orderId }, { close }) => <RepaymentForm orderId={orderId} onClose={close} />,
  }),
  panelAction<PlanRow>({
    id: 'link',
    endpoint: sendLink,
    text: 'link.send',
    icon: 'link',
    disabledReason: whyUnpayable,
    panel: ({ planId, outstanding }, { close }) => (
      <LinkForm planId={planId} due={outstanding} onClose={close} />
    ),
  }),
  panelAction<PlanRow>({
    id: 'reduce',
    endpoint: launchReduction,
    text: 'action.reduce',
    icon: 'arrow-down',
    disabledReason: ({ outstanding, overdueDays }, { t }) =>
      outstanding === 0
        ? t('refused.nothingDue')
        : overdueDays === 0
          ? t('refused.notOverdue')
          : null,
    panel: ({ orderId }, { close }) => <ReduceForm orderId={orderId} onClose={close} />,
  }),
  panelAction<PlanRow>({
    id: 'writeOff',
    endpoint: launchWriteOff,
    text: 'action.writeOff',
    icon: 'confirm',
    disabledReason: whyUnpayable,
    panel: ({ orderId }, { close }) => <WriteOffForm orderId={orderId} onClose={close} />,
  }),
]

function whyUnpayable({ outstanding, paymentStatus }: PlanRow, { t }: ListTools): string | null {
  if (outstanding === 0) return t('refused.nothingDue')
  return paymentStatus === 'processing' ? t('refused.processing') : null
}
