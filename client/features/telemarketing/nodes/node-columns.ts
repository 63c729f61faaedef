/** Columns of nodes, their runs and their messages. */
import type { Text } from '#client/base/use-text.ts'
import { conditionLine } from '#client/screen/conditions/condition-words.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  percentColumn,
  staffColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import { nodeOptions } from '#shared/telemarketing/node-api.ts'
import { nodeCatalogue } from '#shared/telemarketing/node-fields.ts'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import type { MarketingNode, NodeMessage, NodeRun } from './node-types.ts'

const title = (name: string) => `telemarketing:node.col.${name}`
const segment = (value: string | number, { t }: { t: Text }) => t(`telemarketing:menu.${value}`)
const RUN_TONES: Record<string, Tone> = {
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'neutral',
}
const MESSAGE_TONES: Record<string, Tone> = {
  due: 'info',
  sent: 'good',
  failed: 'bad',
  refused: 'neutral',
}

/** The fields of conditions with the apps and channels there are. */
export function catalogueOf(read: ListContext['read']): Catalogue {
  const { apps = [], channels = [] } = read(nodeOptions) ?? {}
  return nodeCatalogue(apps, channels)
}

/** Beside the name of a coupon that is switched off. */
const OFF = 'off'

/** "2 days", "6 hours", or both. */
function waitText({ dateDays, timeHours }: MarketingNode, t: Text): string {
  return [
    dateDays === null ? '' : t('telemarketing:node.days', { count: dateDays }),
    timeHours === null ? '' : t('telemarketing:node.hours', { count: timeHours }),
  ]
    .filter(Boolean)
    .join(' · ')
}

export const nodeColumns = ({
  t,
  language,
  read,
}: Pick<ListContext, 't' | 'language' | 'read'>): readonly GridColumn<MarketingNode>[] => [
  idColumn<MarketingNode>({
    id: 'nodeId',
    title: title('nodeId'),
    width: 105,
    sort: 'nodeId',
    pin: 'left',
  }),
  textColumn<MarketingNode>({ id: 'name', title: title('name'), width: 220, sort: 'name' }),
  statusColumn<MarketingNode>({
    id: 'effective',
    title: title('effective'),
    width: 110,
    value: ({ effective, isRunning }) => (isRunning ? 'running' : effective ? 'on' : 'off'),
    word: (state, context) => context.t(`telemarketing:node.state.${state}`),
    tone: (state) => ({ running: 'info', on: 'good', off: 'neutral' })[state] as Tone,
  }),
  wordColumn<MarketingNode>({
    id: 'segment',
    title: title('segment'),
    width: 214,
    sort: 'segment',
    word: segment,
  }),
  wordColumn<MarketingNode>({
    id: 'action',
    title: title('action'),
    width: 150,
    word: (action, context) => context.t(`telemarketing:node.action.${action}`),
  }),
  tagsColumn<MarketingNode>({
    id: 'coupon',
    title: title('coupon'),
    width: 190,
    value: ({ couponName, couponOff }) =>
      couponName === null ? [] : couponOff ? [couponName, OFF] : [couponName],
    word: (name) => (name === OFF ? t('telemarketing:node.couponIsOff') : name),
    tone: (name) => (name === OFF ? 'warn' : 'neutral'),
  }),
  textColumn<MarketingNode>({
    id: 'uplift',
    title: title('uplift'),
    width: 230,
    value: (node) => upliftText(node, t),
  }),
  timeColumn<MarketingNode>({
    id: 'lastRunTime',
    title: title('lastRunTime'),
    width: 165,
    sort: 'lastRunTime',
  }),
  integerColumn<MarketingNode>({
    id: 'matchedLast',
    title: title('matchedLast'),
    width: 115,
    sort: 'matchedLast',
  }),
  percentColumn<MarketingNode>({ id: 'contactedRate', title: title('contactedRate'), width: 130 }),
  percentColumn<MarketingNode>({ id: 'heldOutRate', title: title('heldOutRate'), width: 130 }),
  textColumn<MarketingNode>({
    id: 'wait',
    title: title('wait'),
    width: 130,
    value: (node) => waitText(node, t),
  }),
  textColumn<MarketingNode>({
    id: 'condition',
    title: title('condition'),
    width: 320,
    value: ({ condition }) =>
      condition === null ? null : conditionLine(t, catalogueOf(read), condition, language),
  }),
  integerColumn<MarketingNode>({ id: 'holdout', title: title('holdout'), width: 110 }),
  wordColumn<MarketingNode>({
    id: 'type',
    title: title('type'),
    width: 160,
    sort: 'type',
    word: (type, context) => context.t(`telemarketing:node.type.${type}`),
  }),
  integerColumn<MarketingNode>({
    id: 'packageCount',
    title: title('packageCount'),
    width: 120,
    hidden: true,
  }),
  staffColumn<MarketingNode>({ id: 'updateBy', title: title('updateBy'), width: 150 }),
  timeColumn<MarketingNode>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 165,
    sort: 'updateTime',
  }),
]

/** "+2.30 % (0.41 % – 4.19 %)". */
function upliftText(
  { uplift, upliftLow, upliftHigh }: Pick<NodeRun, 'uplift' | 'upliftLow' | 'upliftHigh'>,
  t: Text,
): string {
  if (uplift === null || upliftLow === null || upliftHigh === null)
    return t('telemarketing:node.tooFew')
  const sign = uplift > 0 ? '+' : ''
  return `${sign}${formatBasisPoints(uplift)} (${formatBasisPoints(upliftLow)} – ${formatBasisPoints(upliftHigh)})`
}

const count = (id: 'heldOut' | 'done' | 'messages' | 'coupons', width = 105) =>
  integerColumn<NodeRun>({ id, title: title(id), width })

export const runColumns = ({ t }: { t: Text }): readonly GridColumn<NodeRun>[] => [
  idColumn<NodeRun>({ id: 'runId', title: title('runId'), width: 120, pin: 'left' }),
  textColumn<NodeRun>({ id: 'nodeName', title: title('name'), width: 200, sort: 'nodeName' }),
  statusColumn<NodeRun>({
    id: 'state',
    title: title('state'),
    width: 110,
    word: (state, context) => context.t(`telemarketing:node.run.${state}`),
    tone: (state) => RUN_TONES[state] ?? 'neutral',
  }),
  timeColumn<NodeRun>({
    id: 'startTime',
    title: title('startTime'),
    width: 165,
    sort: 'startTime',
  }),
  integerColumn<NodeRun>({
    id: 'matched',
    title: title('matched'),
    width: 105,
    sort: 'matched',
  }),
  integerColumn<NodeRun>({ id: 'taken', title: title('taken'), width: 105, sort: 'taken' }),
  count('heldOut', 110),
  textColumn<NodeRun>({
    id: 'uplift',
    title: title('uplift'),
    width: 230,
    value: (run) => upliftText(run, t),
  }),
  percentColumn<NodeRun>({ id: 'contactedRate', title: title('contactedRate'), width: 130 }),
  percentColumn<NodeRun>({ id: 'heldOutRate', title: title('heldOutRate'), width: 130 }),
  count('done'),
  integerColumn<NodeRun>({
    id: 'assigned',
    title: title('assigned'),
    width: 105,
    sort: 'assigned',
  }),
  count('messages'),
  count('coupons'),
  textColumn<NodeRun>({
    id: 'withoutCoupon',
    title: title('withoutCoupon'),
    width: 200,
    hidden: true,
    value: ({ withoutCoupon }) =>
      withoutCoupon
        .map(({ why, n }) => `${t(`telemarketing:node.noCoupon.${why}`)} ${n}`)
        .join(' · '),
  }),
  textColumn<NodeRun>({
    id: 'excluded',
    title: title('excluded'),
    width: 260,
    value: ({ excluded }) =>
      excluded.map(({ why, n }) => `${t(`telemarketing:node.why.${why}`)} ${n}`).join(' · '),
  }),
  textColumn<NodeRun>({
    id: 'startBy',
    title: title('startBy'),
    width: 150,
    value: ({ startBy }) => startBy ?? t('telemarketing:node.bySchedule'),
  }),
  timeColumn<NodeRun>({ id: 'endTime', title: title('endTime'), width: 165, hidden: true }),
]

export const MESSAGE_COLUMNS: readonly GridColumn<NodeMessage>[] = [
  idColumn<NodeMessage>({
    id: 'messageId',
    title: title('messageId'),
    width: 110,
    sort: 'messageId',
    pin: 'left',
  }),
  timeColumn<NodeMessage>({ id: 'time', title: title('time'), width: 165, sort: 'time' }),
  textColumn<NodeMessage>({ id: 'nodeName', title: title('name'), width: 220 }),
  idColumn<NodeMessage>({ id: 'userId', title: title('userId'), width: 120 }),
  wordColumn<NodeMessage>({
    id: 'way',
    title: title('way'),
    width: 110,
    word: (way, { t }) => t(`telemarketing:node.way.${way}`),
  }),
  statusColumn<NodeMessage>({
    id: 'state',
    title: title('state'),
    width: 120,
    word: (state, { t }) => t(`telemarketing:node.message.${state}`),
    tone: (state) => MESSAGE_TONES[state] ?? 'neutral',
  }),
  integerColumn<NodeMessage>({ id: 'tries', title: title('tries'), width: 100 }),
]
