/** Columns of batch runs and of their orders. */
import type { Text } from '#client/base/use-text.ts'
import { problemText } from '#client/session/call-error.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { customerPathOf, orderPathOf, stepWords } from './batch-words.ts'
import type { Batch, BatchItem } from './batch-types.ts'

const title = (name: string) => `rules:col.${name}`
const STATE_TONES: Record<string, Tone> = {
  queued: 'info',
  running: 'info',
  stopping: 'warn',
  done: 'good',
  failed: 'bad',
  cancelled: 'neutral',
}
const RESULT_TONES: Record<string, Tone> = { waiting: 'info', ok: 'good', failed: 'bad' }

export const BATCH_COLUMNS: readonly GridColumn<Batch>[] = [
  textColumn<Batch>({ id: 'batchId', title: title('batchId'), width: 120, pin: 'left' }),
  wordColumn<Batch>({
    id: 'type',
    title: title('type'),
    width: 230,
    sort: 'type',
    word: (kind, { t }) => t(`rules:kind.${kind}`),
  }),
  textColumn<Batch>({
    id: 'params',
    title: title('params'),
    width: 130,
    value: ({ params: { amount, ratio, rate, tenureDays, term } }) =>
      tenureDays !== undefined
        ? `${tenureDays} / ${term}`
        : amount === undefined
          ? formatBasisPointsOf(ratio ?? rate)
          : `+ ${formatPaise(amount)}`,
  }),
  wordColumn<Batch>({
    id: 'source',
    title: title('source'),
    width: 110,
    word: (source, { t }) => t(`rules:source.${source}`),
  }),
  statusColumn<Batch>({
    id: 'state',
    title: title('state'),
    width: 120,
    sort: 'state',
    value: ({ state, isStopping }) => (isStopping ? 'stopping' : state),
    word: (state, { t }) => t(`rules:state.${state}`),
    tone: (state) => STATE_TONES[state] ?? 'neutral',
  }),
  integerColumn<Batch>({ id: 'total', title: title('total'), width: 90, sort: 'total' }),
  integerColumn<Batch>({ id: 'done', title: title('done'), width: 90 }),
  integerColumn<Batch>({ id: 'ok', title: title('ok'), width: 90 }),
  integerColumn<Batch>({
    id: 'fail',
    title: title('fail'),
    width: 90,
    sort: 'fail',
    upIsWorse: true,
    className: ({ fail }) => (fail > 0 ? 'cell-warn' : ''),
  }),
  textColumn<Batch>({ id: 'startBy', title: title('startBy'), width: 160 }),
  timeColumn<Batch>({ id: 'startTime', title: title('startTime'), sort: 'startTime' }),
  timeColumn<Batch>({ id: 'endTime', title: title('endTime'), sort: 'endTime' }),
  textColumn<Batch>({ id: 'reason', title: title('reason'), width: 280 }),
]

export const ITEM_COLUMNS: readonly GridColumn<BatchItem>[] = [
  integerColumn<BatchItem>({
    id: 'itemId',
    title: title('itemId'),
    width: 80,
    sort: 'itemId',
    // a number, not a count
    text: ({ itemId }) => String(itemId),
  }),
  idColumn<BatchItem>({
    id: 'orderId',
    title: title('orderId'),
    width: 140,
    href: orderPathOf,
  }),
  idColumn<BatchItem>({
    id: 'userId',
    title: title('userId'),
    width: 140,
    href: customerPathOf,
  }),
  stepColumn('before'),
  stepColumn('after'),
  statusColumn<BatchItem>({
    id: 'result',
    title: title('result'),
    width: 130,
    word: (result, { t }) => t(`rules:result.${result}`),
    tone: (result) => RESULT_TONES[result] ?? 'neutral',
  }),
  textColumn<BatchItem>({
    id: 'msg',
    title: title('msg'),
    width: 520,
    value: (row) => (row.problem === null ? row.msg : (problemText(row.problem) ?? row.msg)),
  }),
]

function stepColumn(id: 'before' | 'after') {
  return wordColumn<BatchItem>({
    id,
    title: title(id),
    width: 170,
    value: (row) => row[id],
    text: (row, { t }) => stepText(row, id, t),
    word: (code) => String(code),
  })
}

function stepText({ type, ...row }: BatchItem, id: 'before' | 'after', t: Text): string {
  const value = row[id]
  return value === null ? '' : stepWords(t, type, value)
}

function formatBasisPointsOf(value: number | undefined): string {
  return value === undefined ? '' : formatBasisPoints(value)
}
