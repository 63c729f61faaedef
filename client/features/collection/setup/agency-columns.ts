/** Columns of the lists of agencies, departments and groups. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  statusColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Agency, Unit } from './setup-types.ts'

const title = (name: string) => `collection:setup.col.${name}`
export const AGENCY_COLUMNS: readonly GridColumn<Agency>[] = [
  idColumn<Agency>({
    id: 'agencyId',
    title: title('agencyId'),
    width: 90,
    sort: 'agencyId',
    pin: 'left',
  }),
  textColumn<Agency>({ id: 'name', title: title('agencyName'), width: 220, sort: 'name' }),
  textColumn<Agency>({ id: 'officer', title: title('officer'), width: 180 }),
  maskedColumn<Agency>({ id: 'officerPhone', title: title('officerPhone'), width: 130 }),
  yesNoColumn<Agency>({ id: 'inHouse', title: title('inHouse'), width: 104 }),
  dayColumn<Agency>({ id: 'termEnd', title: title('termEnd'), width: 130 }),
  integerColumn<Agency>({
    id: 'weight',
    title: title('weightPercent'),
    width: 100,
    sort: 'weight',
  }),
  statusColumn<Agency>({
    id: 'status',
    title: title('status'),
    width: 110,
    sort: 'status',
    word: (status, { t }) => t(`collection:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'warn'),
  }),
  integerColumn<Agency>({
    id: 'collectorCount',
    title: title('collectorCount'),
    width: 110,
    sort: 'collectorCount',
  }),
  integerColumn<Agency>({
    id: 'caseCount',
    title: title('caseCount'),
    width: 100,
    sort: 'caseCount',
  }),
]
const unitColumns = (isGroup: boolean): readonly GridColumn<Unit>[] => [
  idColumn<Unit>({ id: 'id', title: title('unitId'), width: 90, sort: 'id', pin: 'left' }),
  textColumn<Unit>({ id: 'name', title: title('unitName'), width: 220, sort: 'name' }),
  textColumn<Unit>({ id: 'officerName', title: title('officer'), width: 180, sort: 'officerName' }),
  textColumn<Unit>({
    id: 'agencyName',
    title: title('agencyName'),
    width: 200,
    sort: 'agencyName',
  }),
  ...(isGroup
    ? [
        textColumn<Unit>({
          id: 'departmentName',
          title: title('departmentName'),
          width: 200,
          sort: 'departmentName',
        }),
      ]
    : []),
  integerColumn<Unit>({
    id: 'collectorCount',
    title: title('collectorCount'),
    width: 110,
    sort: 'collectorCount',
  }),
]
export const DEPARTMENT_COLUMNS = unitColumns(false)
export const GROUP_COLUMNS = unitColumns(true)
