/** Follow-ups as they were written. */
import { useIdLinks } from './use-id-links.ts'
import { filtersOf, people, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import type { RowOf } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  maskedColumn,
  staffColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { listRecords } from '#shared/telemarketing/record-api.ts'
import { taskOptions } from '#shared/telemarketing/tele-api.ts'
import { TELE_FOLLOWED } from '#shared/telemarketing/tele-live.ts'
import { CONTACT_WAYS, FOLLOW_RESULTS } from '#shared/telemarketing/tele-sets.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import { NARROW } from './total-filters.ts'

type Row = RowOf<typeof listRecords>
const col = (name: string) => `telemarketing:col.${name}`
const record = (name: string) => `telemarketing:record.${name}`

const COLUMNS: readonly GridColumn<Row>[] = [
  textColumn<Row>({ id: 'recordId', title: record('recordId'), width: 120, pin: 'left' }),
  timeColumn<Row>({ id: 'time', title: record('time'), width: 165, sort: 'time' }),
  staffColumn<Row>({ id: 'operatorName', title: record('operatorName'), width: 150 }),
  textColumn<Row>({ id: 'userId', title: col('userId'), width: 120 }),
  wordColumn<Row>({
    id: 'result',
    title: 'telemarketing:form.result',
    width: 200,
    word: (result, { t }) => t(`telemarketing:result.${result}`),
  }),
  textColumn<Row>({ id: 'remark', title: 'telemarketing:form.remark', width: 240 }),
  timeColumn<Row>({ id: 'nextFollowTime', title: col('nextFollowTime'), width: 165 }),
  wordColumn<Row>({
    id: 'contactWay',
    title: 'telemarketing:form.contactWay',
    width: 115,
    word: (way, { t }) => t(`telemarketing:way.${way}`),
  }),
  maskedColumn<Row>({ id: 'contactNumber', title: record('contactNumber'), width: 125 }),
  integerColumn<Row>({ id: 'durationSec', title: record('durationSec'), width: 120 }),
  wordColumn<Row>({
    id: 'endCause',
    title: 'calls:col.endCause',
    width: 150,
    word: (cause, { t }) => t(`calls:endCause.${cause}`),
  }),
  integerColumn<Row>({ id: 'count', title: record('count'), width: 100 }),
  integerColumn<Row>({ id: 'lossDays', title: col('lossDays'), width: 105 }),
  wordColumn<Row>({
    id: 'segment',
    title: 'telemarketing:node.col.segment',
    width: 190,
    word: (segment, { t }) => t(`telemarketing:menu.${segment}`),
  }),
  textColumn<Row>({ id: 'nodeName', title: col('nodeName'), width: 200 }),
  wordColumn<Row>({
    id: 'taskType',
    title: col('taskType'),
    width: 130,
    word: (type, { t }) => t(`telemarketing:node.type.${type}`),
  }),
  textColumn<Row>({ id: 'taskId', title: col('taskId'), width: 120 }),
]

const { segment, nodeId } = NARROW

export const RecordList = listScreen({
  endpoint: listRecords,
  menu: 'marketing_total',
  rowId: 'recordId',
  id: 'marketing_records',
  label: 'total.tab.records',
  texts: ['telemarketing', 'calls'],
  columns: COLUMNS,
  useColumns: useIdLinks,
  filters: filtersOf({
    userId: { kind: 'text', label: 'col.userId', place: 'quick' },
    result: {
      kind: 'many',
      label: 'form.result',
      place: 'bar',
      options: wordsOf('result', FOLLOW_RESULTS),
    },
    segment,
    time: { kind: 'day', label: 'record.time', place: 'bar' },
    operatorId: {
      kind: 'one',
      label: 'record.operatorName',
      options: ({ read }) => people(read(taskOptions)?.people),
      when: ({ user }) => user.scope.kind !== 'own',
    },
    nodeId,
    contactWay: { kind: 'one', label: 'form.contactWay', options: wordsOf('way', CONTACT_WAYS) },
    taskId: { kind: 'text', label: 'col.taskId' },
  }),
  sort: 'time:desc',
  reads: [reads(taskOptions, {})],
  refreshOn: [TELE_FOLLOWED.type, VOICE_CALL_CHANGED.type],
  empty: 'record.none',
})
