/** What can be done with batch runs. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import { retryBatch, startBatch, stopBatch } from '#shared/rules/batch-api.ts'
import { customerPathOf, orderPathOf } from './batch-words.ts'
import type { Batch, BatchItem } from './batch-types.ts'

const StartBatchForm = lazyPart(() =>
  import('./StartBatchForm.tsx').then((m) => ({ default: m.StartBatchForm })),
)
const isOpen = ({ state }: Batch): boolean => state === 'queued' || state === 'running'

export const startAction = panelAction<null>({
  id: 'start',
  endpoint: startBatch,
  text: 'start',
  panel: (_, { done, close }) => <StartBatchForm onDone={done} onClose={close} />,
})

export const itemsAction = linkAction<Batch>({
  id: 'items',
  text: 'items',
  icon: 'list',
  path: ({ batchId }) => `/system/batch_run?tab=items&batchId=${encodeURIComponent(batchId)}`,
})

export const orderAction = linkAction<BatchItem>({
  id: 'order',
  text: 'openOrder',
  icon: 'credit-card',
  path: orderPathOf,
})

export const customerAction = linkAction<BatchItem>({
  id: 'customer',
  text: 'openCustomer',
  icon: 'person',
  when: ({ userId }) => userId !== null,
  path: customerPathOf,
})

export const retryAction = callAction(retryBatch, {
  id: 'retry',
  text: 'retry',
  icon: 'repeat',
  when: (batch: Batch) => !isOpen(batch),
  disabledReason: ({ fail }, { t }) => (fail === 0 ? t('noFailed') : null),
  confirm: ({ batchId, fail }, { t }) => ({ title: t('ask.retry', { batchId }), count: fail }),
  input: ({ batchId }) => ({ batchId }),
  done: ({ batchId }, { t }) => t('done.started', { batchId }),
})

export const stopAction = callAction(stopBatch, {
  id: 'stop',
  text: 'stop',
  icon: 'stop',
  intent: 'danger',
  separated: true,
  when: isOpen,
  disabledReason: ({ isStopping }, { t }) => (isStopping ? t('isStopping') : null),
  confirm: ({ batchId }, { t }) => ({
    title: t('ask.stop', { batchId }),
    body: <p>{t('stopMeans')}</p>,
    reason: { min: 4, max: 200 },
  }),
  input: ({ batchId }, _, reason) => ({ batchId, reason }),
  done: 'done.stopped',
})
