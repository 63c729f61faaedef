import { approvalColumn } from '#client/screen/waiting-approval.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { RuleStatus } from '#shared/rules/rule-sets.ts'
import { STATUS_TONES } from '../book/rule-columns.ts'
import type { Table } from './table-types.ts'
import { tableName } from '../shipped-words.ts'
import { columnTitle } from './table-words.ts'

const title = (name: string) => `rules:rule.col.${name}`

export const TABLE_COLUMNS: readonly GridColumn<Table>[] = [
  integerColumn<Table>({
    id: 'order',
    title: 'rules:table.col.order',
    width: 90,
    sort: 'order',
    pin: 'left',
  }),
  idColumn<Table>({ id: 'tableId', title: 'rules:table.col.tableId', width: 110, sort: 'tableId' }),
  textColumn<Table>({
    id: 'name',
    title: title('name'),
    width: 280,
    sort: 'name',
    text: ({ tableId, name }, { t }) => tableName(t, tableId, name),
    tip: ({ tableId, name }, { t }) => tableName(t, tableId, name),
  }),
  statusColumn<Table>({
    id: 'status',
    title: title('status'),
    width: 105,
    sort: 'status',
    word: (status, { t }) => t(`rules:rule.status.${status}`),
    tone: (status) => STATUS_TONES[status as RuleStatus],
  }),
  textColumn<Table>({
    id: 'gives',
    title: 'rules:table.gives',
    width: 300,
    text: ({ table }, { t }) => table.outputs.map((name) => columnTitle(t, name)).join(', '),
    tip: ({ table }, { t }) => table.outputs.map((name) => columnTitle(t, name)).join(', '),
  }),
  integerColumn<Table>({ id: 'rowCount', title: 'rules:table.col.rows', width: 90 }),
  integerColumn<Table>({ id: 'caseCount', title: title('caseCount'), width: 105 }),
  textColumn<Table>({
    id: 'versionNo',
    title: title('versionNo'),
    width: 165,
    text: ({ versionNo, hasDraft, latestNo }, { t }) =>
      hasDraft ? t('rules:rule.hasDraft', { n: versionNo, draft: latestNo }) : `v${versionNo}`,
  }),
  approvalColumn<Table>(),
  textColumn<Table>({ id: 'description', title: title('description'), width: 240 }),
  textColumn<Table>({ id: 'updateBy', title: title('updateBy'), width: 140 }),
  timeColumn<Table>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 165,
    sort: 'updateTime',
  }),
]
