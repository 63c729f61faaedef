/** What can be done with reductions. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import {
  callAction,
  forRow,
  linkAction,
  panelAction,
  previewAction,
} from '#client/screen/list/list-actions.ts'
import type { ListAction, ListTools } from '#client/screen/list/list-types.ts'
import { Money } from '#client/ui/value/Money.tsx'
import {
  decideReductions,
  launchReduction,
  previewDecision,
  revokeReduction,
  withdrawReduction,
} from '#shared/repayments/reductions-api.ts'
import { decideRefusal } from '../forms/payment-rules.ts'
import type { ReduceRow } from '../payment-types.ts'
import type { DecisionPreview } from './DecideQuestion.tsx'
import { planPath } from '#shared/repayments/plan-path.ts'

// these load the form library and the question, which the list itself does not need
const ReduceForm = lazyPart(() =>
  import('./ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })),
)
const DecideQuestion = lazyPart(() =>
  import('./DecideQuestion.tsx').then((m) => ({ default: m.DecideQuestion })),
)

export const launchAction = panelAction<null>({
  id: 'launch',
  endpoint: launchReduction,
  text: 'action.reduce',
  icon: 'arrow-down',
  panel: (_, { done, close }) => <ReduceForm orderId={null} onDone={done} onClose={close} />,
})

export const approveMany = decision('approved', 'reduce.approve', 'tick')
export const rejectMany = decision('rejected', 'reduce.reject', 'cross')

const whenOthers = {
  when: ({ state, launchById }: ReduceRow, { user }: ListTools) =>
    state === 'pending' && launchById !== user.userId,
  disabledReason(row: ReduceRow, { t, user }: ListTools) {
    const refusal = decideRefusal(row, user)
    return refusal === null ? null : t(refusal)
  },
}

const withdrawAction = callAction(withdrawReduction, {
  id: 'withdraw',
  text: 'reduce.withdraw',
  icon: 'undo',
  when: ({ state, launchById }: ReduceRow, { user }) =>
    state === 'pending' && launchById === user.userId,
  confirm: (row, { t }) => ({
    title: t('reduce.question.withdraw'),
    intent: 'warning',
    amount: row.reduceAmount,
    body: requestLine(row),
  }),
  input: ({ reduceId, version }) => ({ reduceId, version }),
  done: ({ reduceId }, { t }) => t('reduce.ended.withdraw', { reduceId }),
})

const revokeAction = callAction(revokeReduction, {
  id: 'revoke',
  text: 'reduce.revoke',
  icon: 'ban-circle',
  intent: 'danger',
  when: ({ state, launchById }: ReduceRow, { user }) =>
    state === 'approved' && launchById !== user.userId,
  confirm: (row, { t }) => ({
    title: t('reduce.question.revoke'),
    amount: row.reduceAmount,
    reason: { min: 4, max: 200 },
    body: (
      <>
        {requestLine(row)}
        <p>{t('reduce.effect.revoke')}</p>
      </>
    ),
  }),
  input: ({ reduceId, version }, _, reason) => ({ reduceId, version, reason }),
  done: ({ reduceId }, { t }) => t('reduce.ended.revoke', { reduceId }),
})

export const reductionActions: readonly ListAction<ReduceRow>[] = [
  linkAction<ReduceRow>({
    id: 'open',
    text: 'action.open',
    icon: 'document',
    disabledReason: ({ planId }, { t }) => (planId === null ? t('refused.noPlan') : null),
    path: ({ planId }) => (planId === null ? null : planPath(planId, 'reduce_list')),
  }),
  forRow(approveMany, whenOthers),
  forRow(rejectMany, { ...whenOthers, intent: 'danger' }),
  // collectors launch reductions from their cases, whose codes this page does not have
  { ...withdrawAction, codes: null },
  revokeAction,
]

/** Shows first what the decision does and which rows it leaves out. */
function decision(
  result: DecisionPreview['result'],
  text: string,
  icon: 'tick' | 'cross',
): ListAction<readonly ReduceRow[]> {
  return previewAction<typeof previewDecision, readonly ReduceRow[]>({
    id: result,
    endpoint: decideReductions,
    text,
    icon,
    preview: previewDecision,
    input: (rows) => ({ reduceIds: rows.map(({ reduceId }) => reduceId), result }),
    panel: (rows, answer, { sendBulk, close }) => (
      <DecideQuestion preview={{ result, rows, ...answer }} run={sendBulk} onClose={close} />
    ),
  })
}

function requestLine({ userName, orderId, reduceAmount, launchBy, reason }: ReduceRow): ReactNode {
  return (
    <p>
      {userName} · {orderId} · <Money paise={reduceAmount} />{' '}
      <span className="is-same">
        {launchBy} — {reason}
      </span>
    </p>
  )
}
