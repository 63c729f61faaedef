/** The departments and the groups of the agencies. */
import type { ReactNode } from 'react'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { filtersOf, named, reads } from '#client/screen/list/list-filters.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import {
  addDepartment,
  addGroup,
  editDepartment,
  editGroup,
  listDepartments,
  listGroups,
} from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { DEPARTMENT_COLUMNS, GROUP_COLUMNS } from './agency-columns.ts'
import type { Unit } from './setup-types.ts'
import { UnitForm } from './UnitForm.tsx'

const KINDS = {
  department: {
    endpoint: listDepartments,
    add: addDepartment,
    edit: editDepartment,
    columns: DEPARTMENT_COLUMNS,
  },
  group: { endpoint: listGroups, add: addGroup, edit: editGroup, columns: GROUP_COLUMNS },
} as const
type Kind = keyof typeof KINDS

export const DepartmentList = unitList('department')
export const GroupList = unitList('group')

function unitList(kind: Kind) {
  const { endpoint, add, edit, columns } = KINDS[kind]
  return listBody({
    endpoint,
    rowId: 'id',
    texts: ['collection'],
    id: `urge_agencies:${kind}`,
    label: `setup.tab.${kind}s`,
    columns,
    filters: filtersOf({
      name: { kind: 'text', label: 'setup.col.unitName', place: 'quick' },
      officer: {
        kind: 'text',
        label: 'setup.col.officer',
        place: 'bar',
        placeholder: 'setup.col.officer',
      },
      agencyId: {
        kind: 'one',
        label: 'setup.col.agencyName',
        place: 'bar',
        options: ({ read }) => named(read(collectionTree)?.agencies),
      },
      departmentId: {
        kind: 'one',
        label: 'setup.col.departmentName',
        place: 'bar',
        options: ({ read }) => named(read(collectionTree)?.departments),
        when: () => kind === 'group',
      },
    }),
    sort: 'agencyName:asc,name:asc',
    reads: [reads(collectionTree, {})],
    refreshOn: ['agency.changed', 'collector.changed'],
    create: panelAction<null>({
      id: 'add',
      endpoint: add,
      text: `setup.add.${kind}`,
      panel: (_, tools) => unitForm(kind, null, tools),
    }),
    actions: [
      panelAction<Unit>({
        id: 'edit',
        endpoint: edit,
        text: 'setup.edit',
        icon: 'edit',
        panel: (unit, tools) => unitForm(kind, unit, tools),
      }),
    ],
    open: 'edit',
    empty: 'setup.noUnits',
  })
}

function unitForm(kind: Kind, unit: Unit | null, { read, done, close }: PanelTools): ReactNode {
  return (
    <UnitForm kind={kind} unit={unit} tree={read(collectionTree)} onDone={done} onClose={close} />
  )
}
