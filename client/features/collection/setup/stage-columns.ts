/** Columns of the list of stages. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  integerColumn,
  stageColumn,
  statusColumn,
  textColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Stage } from './setup-types.ts'

const title = (name: string) => `collection:setup.col.${name}`
export const STAGE_COLUMNS: readonly GridColumn<Stage>[] = [
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
