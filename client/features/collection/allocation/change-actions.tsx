/** What can be done with requests to move cases. */
import { bulkAction, forRow, panelAction } from '#client/screen/list/list-actions.ts'
import type { ListTools } from '#client/screen/list/list-types.ts'
import { decideChange, launchChange } from '#shared/collection/allocation-api.ts'
import type { Change } from './change-columns.ts'
import { LaunchChange } from './LaunchChange.tsx'

const SHOWN = 8
const REASON = { min: 4, max: 200 }

export const launchAction = panelAction<null>({
  id: 'launch',
  endpoint: launchChange,
  text: 'change.launch',
  icon: 'exchange',
  panel: (_, { done, close }) => <LaunchChange onDone={done} onClose={close} />,
})

const RESULTS = [
  { result: 'approved', id: 'approve', icon: 'tick', question: 'change.askApprove' },
  { result: 'rejected', id: 'reject', icon: 'cross', question: 'change.askReject' },
] as const

export const decisions = RESULTS.map(({ result, id, icon, question }) =>
  bulkAction<typeof decideChange, Change>(decideChange, {
    id,
    text: `stop.${id}`,
    icon,
    confirm: (changes, { t }) => ({
      title: t(question),
      intent: result === 'approved' ? 'primary' : 'warning',
      count: changes.reduce((sum, change) => sum + change.count, 0),
      amount: changes.reduce((sum, change) => sum + (change.amount ?? 0), 0),
      ...(result === 'rejected' && { reason: REASON }),
      body: changes.slice(0, SHOWN).map((change) => (
        <p key={change.changeId}>
          {change.fromUserName ?? change.fromUnit} → {change.toUserName ?? change.toUnit}
          <br />
          {change.reason}
        </p>
      )),
    }),
    input: (changeIds, _, reason) => ({
      changeIds,
      result,
      ...(result === 'rejected' ? { reason } : {}),
    }),
  }),
)

export const decideRow = decisions.map((action) =>
  forRow(action, {
    when: ({ state }) => state === 'pending',
    disabledReason: ({ launchById }, { t, user }: ListTools) =>
      launchById === user.userId ? t('stop.notOwn') : null,
  }),
)
