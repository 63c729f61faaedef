/** Columns of the segments: what all have, and what each is about. */
import type { Text } from '#client/base/use-text.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  staffColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { TaskState } from '#shared/telemarketing/task-lifecycle.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { TeleRow } from './tele-types.ts'

const title = (name: string) => `telemarketing:col.${name}`

export const TONES = {
  waiting: 'info',
  claimed: 'warn',
  assigned: 'neutral',
  converted: 'good',
  expired: 'neutral',
} as const satisfies Record<TaskState, Tone>

export function resultText(result: number | null, t: Text): string {
  return result === null ? '' : t(`telemarketing:result.${result}`)
}

const FIRST: readonly GridColumn<TeleRow>[] = [
  idColumn<TeleRow>({
    id: 'taskId',
    title: title('taskId'),
    width: 120,
    sort: 'taskId',
    pin: 'left',
  }),
  textColumn<TeleRow>({ id: 'userName', title: title('userName'), width: 150 }),
  idColumn<TeleRow>({ id: 'userId', title: title('userId'), width: 116, hidden: true }),
  maskedColumn<TeleRow>({ id: 'phone', title: title('phone'), width: 115 }),
  statusColumn<TeleRow>({
    id: 'state',
    title: title('state'),
    width: 148,
    sort: 'state',
    word: (state, { t }) => t(`telemarketing:state.${state}`),
    tone: (state) => TONES[state as TaskState],
  }),
  integerColumn<TeleRow>({ id: 'lossDays', title: title('lossDays'), width: 90, sort: 'lossDays' }),
]

const LAST: readonly GridColumn<TeleRow>[] = [
  staffColumn<TeleRow>({
    id: 'assigneeName',
    title: title('assigneeName'),
    width: 150,
    sort: 'assigneeName',
  }),
  integerColumn<TeleRow>({
    id: 'followCount',
    title: title('followCount'),
    width: 105,
    sort: 'followCount',
  }),
  wordColumn<TeleRow>({
    id: 'lastResult',
    title: title('lastResult'),
    width: 174,
    sort: 'lastResult',
    word: (result, { t }) => t(`telemarketing:result.${result}`),
  }),
  timeColumn<TeleRow>({
    id: 'lastFollowTime',
    title: title('lastFollowTime'),
    width: 165,
    sort: 'lastFollowTime',
  }),
  timeColumn<TeleRow>({
    id: 'nextFollowTime',
    title: title('nextFollowTime'),
    width: 165,
    sort: 'nextFollowTime',
  }),
  textColumn<TeleRow>({ id: 'couponName', title: title('couponName'), width: 150 }),
  textColumn<TeleRow>({ id: 'nodeName', title: title('nodeName'), width: 170 }),
  wordColumn<TeleRow>({
    id: 'taskType',
    title: title('taskType'),
    width: 120,
    hidden: true,
    word: (type, { t }) => t(`telemarketing:node.type.${type}`),
  }),
  timeColumn<TeleRow>({ id: 'heldUntil', title: title('heldUntil'), width: 165, hidden: true }),
  textColumn<TeleRow>({ id: 'appName', title: title('appName'), width: 120, hidden: true }),
  textColumn<TeleRow>({ id: 'channelName', title: title('channelName'), width: 120 }),
  yesNoColumn<TeleRow>({ id: 'converted', title: title('converted'), width: 110, hidden: true }),
  timeColumn<TeleRow>({
    id: 'convertTime',
    title: title('convertTime'),
    width: 165,
    sort: 'convertTime',
    hidden: true,
  }),
]

const order = idColumn<TeleRow>({
  id: 'orderId',
  title: title('lastOrderId'),
  width: 120,
  value: ({ lastOrderId }) => lastOrderId,
})
const limit = moneyColumn<TeleRow>({ id: 'finalLimit', title: title('finalLimit'), width: 120 })

/** What a segment is about, between the task and its follow-ups. */
const OWN: Record<Segment, readonly GridColumn<TeleRow>[]> = {
  no_certified: [
    timeColumn<TeleRow>({ id: 'registerTime', title: title('registerTime'), width: 165 }),
    wordColumn<TeleRow>({
      id: 'lastStep',
      title: title('lastStep'),
      width: 130,
      word: (step, { t }) => t(`telemarketing:step.${step}`),
    }),
    integerColumn<TeleRow>({ id: 'entryCount', title: title('entryCount'), width: 95 }),
  ],
  unrequished: [
    limit,
    timeColumn<TeleRow>({ id: 'creditTime', title: title('creditTime'), width: 165 }),
    dayColumn<TeleRow>({ id: 'limitValidUntil', title: title('limitValidUntil'), width: 120 }),
    { ...order, title: title('abandonedOrderId'), width: 140 },
  ],
  no_relented: [
    order,
    moneyColumn<TeleRow>({ id: 'lastAmount', title: title('lastAmount'), width: 120 }),
    timeColumn<TeleRow>({ id: 'settledTime', title: title('settledTime'), width: 165 }),
    integerColumn<TeleRow>({ id: 'settlementCount', title: title('settlementCount'), width: 120 }),
    integerColumn<TeleRow>({
      id: 'maxOverdueDays',
      title: title('maxOverdueDays'),
      width: 135,
      upIsWorse: true,
    }),
    limit,
  ],
  loan_failed: [
    order,
    moneyColumn<TeleRow>({ id: 'lastAmount', title: title('lastAmount'), width: 120 }),
    textColumn<TeleRow>({ id: 'failReason', title: title('failReason'), width: 265 }),
    timeColumn<TeleRow>({ id: 'lossTime', title: title('failTime'), width: 165, sort: 'lossTime' }),
    integerColumn<TeleRow>({ id: 'attemptNo', title: title('attemptNo'), width: 95 }),
    wordColumn<TeleRow>({
      id: 'handlingMethod',
      title: title('handlingMethod'),
      width: 160,
      word: (method, { t }) => t(`orders:handling.${method}`),
    }),
    wordColumn<TeleRow>({
      id: 'bindState',
      title: title('bindState'),
      width: 120,
      word: (state, { t }) => t(`telemarketing:bind.${state}`),
    }),
  ],
}

export const TELE_COLUMNS = {
  no_certified: [...FIRST, ...OWN.no_certified, ...LAST],
  unrequished: [...FIRST, ...OWN.unrequished, ...LAST],
  no_relented: [...FIRST, ...OWN.no_relented, ...LAST],
  loan_failed: [...FIRST, ...OWN.loan_failed, ...LAST],
} as const satisfies Record<Segment, readonly GridColumn<TeleRow>[]>
