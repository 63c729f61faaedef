/** One step of the pipeline for many orders. */
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { listBatches, listBatchItems } from '#shared/rules/batch-api.ts'
import { BATCH_KINDS, BATCH_STATES, ITEM_RESULTS } from '#shared/rules/batch-sets.ts'
import { BATCH_CHANGED } from '#shared/rules/rules-live.ts'
import {
  customerAction,
  itemsAction,
  orderAction,
  retryAction,
  startAction,
  stopAction,
} from './batch-actions.tsx'
import { BATCH_COLUMNS, ITEM_COLUMNS } from './batch-columns.ts'

/** The progress of a batch is pushed to the one who started it; others see it by this time. */
const EVERY_MS = 5_000

const BatchList = listBody({
  endpoint: listBatches,
  rowId: 'batchId',
  texts: ['rules'],
  label: 'tab.batches',
  columns: BATCH_COLUMNS,
  filters: filtersOf({
    type: { kind: 'one', label: 'col.type', place: 'bar', options: wordsOf('kind', BATCH_KINDS) },
    state: {
      kind: 'one',
      label: 'col.state',
      place: 'bar',
      options: wordsOf('state', BATCH_STATES),
    },
    startBy: { kind: 'text', label: 'col.startBy' },
    time: { kind: 'day', label: 'col.startTime' },
  }),
  sort: 'startTime:desc',
  refreshOn: [BATCH_CHANGED.type, JOB_CHANGED.type],
  everyMs: EVERY_MS,
  create: startAction,
  actions: [itemsAction, retryAction, stopAction],
  open: 'items',
  empty: 'none',
})

const ItemList = listBody({
  endpoint: listBatchItems,
  rowId: 'itemId',
  texts: ['rules'],
  id: 'batch_run_items',
  label: 'tab.items',
  columns: ITEM_COLUMNS,
  filters: filtersOf({
    batchId: { kind: 'text', label: 'col.batchId', place: 'quick' },
    result: {
      kind: 'one',
      label: 'col.result',
      place: 'bar',
      options: wordsOf('result', ITEM_RESULTS),
    },
  }),
  // the contract demands the batch, which is then there
  input: (query, { t }) =>
    typeof query.batchId === 'string' ? { ...query, batchId: query.batchId } : t('chooseBatch'),
  refreshOn: [BATCH_CHANGED.type, JOB_CHANGED.type],
  actions: [orderAction, customerAction],
  open: 'order',
  empty: 'noItems',
})

export const Screen = tabbedScreen({
  texts: ['rules'],
  menu: 'batch_run',
  title: 'tab',
  tabs: { batches: BatchList, items: ItemList },
})
