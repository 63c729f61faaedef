/** Marketing nodes: who of a segment is contacted, their runs with what they achieved, messages. */
import '../telemarketing.css'
import { filtersOf, reads, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { COUPON_CHANGED } from '#shared/coupons/coupons-live.ts'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { listMessages, listNodes, listRuns, nodeOptions } from '#shared/telemarketing/node-api.ts'
import {
  NODE_MESSAGE_STATES,
  NODE_TYPES,
  NODE_WAYS,
  RUN_STATES,
} from '#shared/telemarketing/node-sets.ts'
import { TELE_NODE_CHANGED, TELE_NODE_RUN } from '#shared/telemarketing/tele-live.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import {
  addAction,
  announceNode,
  couponAction,
  editAction,
  messagesAction,
  packageAction,
  runAction,
  runsAction,
  switchActions,
} from './node-actions.tsx'
import { WatchCoupons } from '../WatchCoupons.tsx'
import { MESSAGE_COLUMNS, nodeColumns, runColumns } from './node-columns.ts'

const TEXTS = ['telemarketing', 'coupons', 'announcements', 'conditions'] as const
const NODE_EVENTS = [TELE_NODE_CHANGED.type, TELE_NODE_RUN.type]

const segment = {
  kind: 'one',
  label: 'node.col.segment',
  place: 'bar',
  options: wordsOf('menu', SEGMENTS),
} as const

const NodeList = listBody({
  endpoint: listNodes,
  rowId: 'nodeId',
  texts: TEXTS,
  label: 'node.tab.nodes',
  columns: nodeColumns,
  filters: filtersOf({
    name: { kind: 'text', label: 'node.col.name', place: 'quick' },
    segment,
    type: {
      kind: 'one',
      label: 'node.col.type',
      place: 'bar',
      options: wordsOf('node.type', NODE_TYPES),
    },
    effective: { kind: 'one', label: 'node.col.effective', options: yesNo },
  }),
  sort: 'updateTime:desc',
  reads: [reads(nodeOptions, {})],
  // a coupon that is switched off is marked
  refreshOn: [...NODE_EVENTS, COUPON_CHANGED.type],
  around: (rows) => (
    <>
      {rows}
      <WatchCoupons />
    </>
  ),
  create: addAction,
  actions: [
    editAction,
    packageAction,
    runAction,
    runsAction,
    messagesAction,
    couponAction,
    announceNode,
    ...switchActions,
  ],
  open: 'edit',
  empty: 'node.none',
})

const RunList = listBody({
  endpoint: listRuns,
  rowId: 'runId',
  texts: TEXTS,
  id: 'marketing_stage_runs',
  label: 'node.tab.runs',
  columns: runColumns,
  filters: filtersOf({
    nodeId: { kind: 'text', label: 'node.col.nodeId', place: 'quick' },
    segment,
    state: {
      kind: 'one',
      label: 'node.col.state',
      place: 'bar',
      options: wordsOf('node.run', RUN_STATES),
    },
    time: { kind: 'day', label: 'node.col.startTime' },
  }),
  sort: 'startTime:desc',
  refreshOn: [...NODE_EVENTS, JOB_CHANGED.type],
  empty: 'node.noRuns',
})

const MessageList = listBody({
  endpoint: listMessages,
  rowId: 'messageId',
  texts: TEXTS,
  id: 'marketing_stage_messages',
  label: 'node.tab.messages',
  columns: MESSAGE_COLUMNS,
  filters: filtersOf({
    nodeId: { kind: 'text', label: 'node.col.nodeId', place: 'quick' },
    userId: { kind: 'text', label: 'node.col.userId', place: 'bar' },
    way: { kind: 'one', label: 'node.col.way', options: wordsOf('node.way', NODE_WAYS) },
    state: {
      kind: 'one',
      label: 'node.col.state',
      place: 'bar',
      options: wordsOf('node.message', NODE_MESSAGE_STATES),
    },
    time: { kind: 'day', label: 'node.col.time' },
  }),
  sort: 'time:desc',
  refreshOn: NODE_EVENTS,
  empty: 'node.noMessages',
})

export const Screen = tabbedScreen({
  texts: TEXTS,
  menu: 'marketing_stage',
  title: 'node.tab',
  tabs: { nodes: NodeList, runs: RunList, messages: MessageList },
})
