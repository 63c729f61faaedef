/** Collection stages: which overdue days each one covers, and who works it (screens.md 5.1). */
import '../collection.css'
import { useMemo, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  integerColumn,
  stageColumn,
  statusColumn,
  textColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { autoAllocate } from '#shared/collection/allocation-api.ts'
import { type addStage, listStages } from '#shared/collection/setup-api.ts'
import { useSay } from '../use-say.ts'
import { StageForm } from './StageForm.tsx'

export type Stage = DataOf<typeof addStage>

const title = (name: string) => `collection:setup.col.${name}`
const COLUMNS: readonly GridColumn<Stage>[] = [
  stageColumn<Stage>({ id: 'stageId', title: title('stageId'), width: 90, pin: 'left' }),
  textColumn<Stage>({ id: 'name', title: title('stageName'), width: 120 }),
  integerColumn<Stage>({ id: 'minOverdueDays', title: title('minOverdueDays'), width: 158 }),
  integerColumn<Stage>({
    id: 'maxOverdueDays',
    title: title('maxOverdueDays'),
    width: 148,
    text: (row, { t }) =>
      row.maxOverdueDays === null ? t('collection:setup.noEnd') : String(row.maxOverdueDays),
  }),
  integerColumn<Stage>({ id: 'collectorCount', title: title('collectorCount'), width: 112 }),
  integerColumn<Stage>({
    id: 'allocationCollectorCount',
    title: title('allocationCollectorCount'),
    width: 150,
  }),
  integerColumn<Stage>({ id: 'caseCount', title: title('caseCount'), width: 96 }),
  wordColumn<Stage>({
    id: 'mode',
    title: title('mode'),
    width: 130,
    word: (mode, { t }) => t(`collection:mode.${mode}`),
  }),
  integerColumn<Stage>({ id: 'capacity', title: title('capacity'), width: 120 }),
  yesNoColumn<Stage>({ id: 'addressBookVisible', title: title('addressBookVisible'), width: 128 }),
  statusColumn<Stage>({
    id: 'allocationState',
    title: title('allocationState'),
    width: 130,
    word: (state, { t }) => t(`collection:allocationState.${state}`),
    tone: (state) => (state === 'allocating' ? 'info' : 'good'),
  }),
  statusColumn<Stage>({
    id: 'status',
    title: title('status'),
    width: 110,
    word: (state, { t }) => t(`collection:status.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
]

export function Screen() {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['overdue_stage:add'])
  const mayEdit = usePermission(['overdue_stage:edit'])
  const mayRun = usePermission(['pedding_list:auto'])
  const url = useGridUrlState({})
  const list = usePageQuery<typeof listStages, Stage>(listStages, {}, [
    'stage.changed',
    'allocation.run.changed',
    'collector.changed',
  ])
  const [form, setForm] = useState<Stage | 'new' | null>(null)
  useWatch('menu', 'overdue_stage')
  const [running, setRunning] = useState<Stage | null>(null)
  const start = useSend(autoAllocate)
  const rowActions = (row: Stage): RowAction[] => [
    ...(mayEdit
      ? [
          {
            id: 'edit',
            text: t('setup.edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => setForm(row),
          } as const,
        ]
      : []),
    ...(mayRun
      ? [
          {
            id: 'run',
            text: t('alloc.run'),
            icon: 'play',
            disabledReason:
              offline ??
              (row.allocationState === 'allocating' ? t('allocationState.allocating') : null),
            onClick: () => setRunning(row),
          } as const,
        ]
      : []),
  ]
  async function run(): Promise<void> {
    if (running === null) return
    await start.mutateAsync({ stageIds: [running.stageId], scope: 'unallocated' })
    void showMessage({ intent: 'success', message: t('desk.asJob'), key: 'allocation' })
    list.refetch()
  }
  const stages = useMemo(() => list.query.rows ?? [], [list.query.rows])
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.overdue_stage')}</h1>
      <DataGrid<Stage>
        id="overdue_stage"
        label={t('menu.overdue_stage')}
        columns={COLUMNS}
        query={list.query}
        getRowId={(row) => row.stageId}
        view={url.view}
        onView={url.setView}
        {...(mayEdit ? { onOpen: (row: Stage) => setForm(row) } : {})}
        {...(mayEdit || mayRun ? { rowActions } : {})}
        emptyReason={{ text: t('setup.noStages') }}
        toolbar={
          mayAdd ? (
            <ActionButton
              icon="plus"
              intent="primary"
              text={t('setup.addStage')}
              disabledReason={offline}
              onClick={() => setForm('new')}
            />
          ) : undefined
        }
      />
      <ConfirmAction
        isOpen={running !== null}
        intent="primary"
        title={t('setup.askRun', { stage: running?.stageId ?? '' })}
        confirmText={t('alloc.run')}
        onConfirm={run}
        onClose={() => setRunning(null)}
      >
        <p>{t('setup.runHint', { mode: running === null ? '' : t(`mode.${running.mode}`) })}</p>
      </ConfirmAction>
      {form !== null && (
        <StageForm
          key={form === 'new' ? 'new' : `${form.stageId}:${form.version}`}
          stage={form === 'new' ? null : form}
          stages={stages}
          onClose={() => setForm(null)}
          onDone={list.refetch}
        />
      )}
    </div>
  )
}
