/** Collection stages: the overdue days and the collectors of each. */
import '../collection.css'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { autoAllocate } from '#shared/collection/allocation-api.ts'
import { addStage, editStage, listStages } from '#shared/collection/setup-api.ts'
import type { Stage } from './setup-types.ts'
import { STAGE_COLUMNS } from './stage-columns.ts'
import { StageForm } from './StageForm.tsx'

const addAction = panelAction<null>({
  id: 'add',
  endpoint: addStage,
  text: 'setup.addStage',
  panel: (_, { read, done, close }) => (
    <StageForm stage={null} stages={read(listStages)?.rows ?? []} onClose={close} onDone={done} />
  ),
})

const editAction = panelAction<Stage>({
  id: 'edit',
  endpoint: editStage,
  text: 'setup.edit',
  icon: 'edit',
  panel: (stage, { read, done, close }) => (
    <StageForm stage={stage} stages={read(listStages)?.rows ?? []} onClose={close} onDone={done} />
  ),
})

const allocateAction = callAction(autoAllocate, {
  id: 'run',
  text: 'alloc.run',
  icon: 'play',
  disabledReason: ({ allocationState }: Stage, { t }) =>
    allocationState === 'allocating' ? t('allocationState.allocating') : null,
  confirm: ({ stageId, mode }, { t }) => ({
    title: t('setup.askRun', { stage: stageId }),
    body: <p>{t('setup.runHint', { mode: t(`mode.${mode}`) })}</p>,
  }),
  input: ({ stageId }) => ({ stageIds: [stageId], scope: 'unallocated' as const }),
  done: 'desk.asJob',
})

export const Screen = listScreen({
  endpoint: listStages,
  rowId: 'stageId',
  texts: ['collection'],
  columns: STAGE_COLUMNS,
  // there are a few, and the list is not paged
  input: () => ({}),
  reads: [reads(listStages, {})],
  refreshOn: ['stage.changed', 'allocation.run.changed', 'collector.changed'],
  create: addAction,
  actions: [editAction, allocateAction],
  open: 'edit',
  empty: 'setup.noStages',
})
