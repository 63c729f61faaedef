/** What can be done with marketing nodes. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import {
  callAction,
  linkAction,
  panelAction,
  previewAction,
} from '#client/screen/list/list-actions.ts'
import { announceAction } from '#client/features/announcements/public.tsx'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import {
  addNode,
  editNode,
  nodeAudience,
  nodeOptions,
  runNode,
  setNodeStatus,
  setPackage,
} from '#shared/telemarketing/node-api.ts'
import type { MarketingNode } from './node-types.ts'
import { catalogueOf } from './node-columns.ts'
import { RunQuestion } from './RunQuestion.tsx'

// loads the form library, which the list itself does not need
const NodeForm = lazyPart(() => import('./NodeForm.tsx').then((m) => ({ default: m.NodeForm })))
const PackageForm = lazyPart(() =>
  import('./PackageForm.tsx').then((m) => ({ default: m.PackageForm })),
)
const DESK_OF = {
  no_certified: 'tele_uncertified',
  unrequished: 'tele_unborrowed',
  no_relented: 'tele_unreborrowed',
  loan_failed: 'tele_loanfailed',
} as const satisfies Record<MarketingNode['segment'], string>
const NODES = '/customer_management/marketing_center/marketing_stage'

function nodeForm(node: MarketingNode | null, { read, done, close }: PanelTools): ReactNode {
  const { coupons = [] } = read(nodeOptions) ?? {}
  return (
    <NodeForm
      node={node}
      catalogue={catalogueOf(read)}
      coupons={coupons}
      onDone={done}
      onClose={close}
    />
  )
}

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addNode,
  text: 'node.add',
  panel: nodeForm,
})

export const editAction = panelAction<MarketingNode>({
  id: 'edit',
  endpoint: editNode,
  text: 'node.editShort',
  icon: 'edit',
  panel: nodeForm,
})

export const packageAction = panelAction<MarketingNode>({
  id: 'package',
  endpoint: setPackage,
  text: 'node.list.action',
  icon: 'import',
  when: ({ type }) => type === 'package',
  panel: (node, { done, close }) => <PackageForm node={node} onDone={done} onClose={close} />,
})

export const runAction = previewAction<typeof nodeAudience, MarketingNode>({
  id: 'run',
  endpoint: runNode,
  preview: nodeAudience,
  text: 'node.runNow',
  icon: 'play',
  disabledReason: ({ effective, isRunning, type, packageCount }, { t }) => {
    if (isRunning) return t('node.isRunning')
    if (!effective) return t('node.isOff')
    return type === 'package' && packageCount === 0 ? t('node.listEmpty') : null
  },
  input: ({
    nodeId,
    type,
    segment,
    condition,
    dateDays,
    timeHours,
    againDays,
    action,
    holdout,
    couponId,
  }) => ({
    nodeId,
    type,
    segment,
    condition,
    dateDays,
    timeHours,
    againDays,
    action,
    holdout,
    couponId,
  }),
  panel: (node, count, { done, close }) => (
    <RunQuestion node={node} count={count} onDone={done} onClose={close} />
  ),
})

export const runsAction = linkAction<MarketingNode>({
  id: 'runs',
  text: 'node.runs',
  icon: 'list',
  path: ({ nodeId }) => `${NODES}?tab=runs&nodeId=${encodeURIComponent(nodeId)}`,
})

export const couponAction = linkAction<MarketingNode>({
  id: 'coupon',
  text: 'node.col.coupon',
  icon: 'credit-card',
  menu: 'coupon_list',
  when: ({ couponId }) => couponId !== null,
  path: ({ couponId }) => `/loaned_management/coupon_list?couponId=${couponId ?? ''}`,
})

export const messagesAction = linkAction<MarketingNode>({
  id: 'messages',
  text: 'node.messages',
  icon: 'envelope',
  path: ({ nodeId }) => `${NODES}?tab=messages&nodeId=${encodeURIComponent(nodeId)}`,
})

export const switchActions = [true, false].map((effective) =>
  callAction(setNodeStatus, {
    id: effective ? 'switchOn' : 'switchOff',
    text: effective ? 'node.switchOn' : 'node.switchOff',
    icon: effective ? 'confirm' : 'pause',
    separated: true,
    when: (node: MarketingNode) => node.effective !== effective,
    confirm: ({ name }, { t }) => ({
      title: t(effective ? 'node.askOn' : 'node.askOff', { name }),
      body: <p>{t(effective ? 'node.onMeans' : 'node.offMeans')}</p>,
    }),
    input: ({ nodeId, version }) => ({ nodeId, version, effective }),
    done: 'node.saved',
  }),
)

/** To the people of the segment and those who lead them. */
export const announceNode = announceAction<MarketingNode>(
  ({ name, segment, action, couponName }, { t }) => ({
    title: t('node.announce.title', { name }),
    content: [
      t('node.announce.what', {
        segment: t(`menu.${segment}`),
        action: t(`node.action.${action}`),
      }),
      ...(couponName === null ? [] : [t('node.announce.coupon', { name: couponName })]),
    ].join('\n'),
    roles: ['group_leader', 'salesman', DESK_OF[segment]],
  }),
)
