/** Agencies with their weights, and the departments and groups below them (screens.md 5.2). */
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearch, useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  dayColumn,
  type GridColumn,
  idColumn,
  integerColumn,
  maskedColumn,
  statusColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { Segmented } from '#client/ui/Segmented.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  type addAgency,
  type addGroup,
  collectionTree,
  listAgencies,
  listDepartments,
  listGroups,
} from '#shared/collection/setup-api.ts'
import { useSay } from '../use-say.ts'
import { AgencyForm } from './AgencyForm.tsx'
import { UnitForm } from './UnitForm.tsx'
import { WeightsForm } from './WeightsForm.tsx'

export type Agency = DataOf<typeof addAgency>
export type Unit = DataOf<typeof addGroup>
const TABS = ['agencies', 'departments', 'groups'] as const
type Tab = (typeof TABS)[number]

const title = (name: string) => `collection:setup.col.${name}`
const AGENCY_COLUMNS: readonly GridColumn<Agency>[] = [
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
const DEPARTMENT_COLUMNS = unitColumns(false)
const GROUP_COLUMNS = unitColumns(true)

export function Screen(): ReactNode {
  const t = useSay()
  const [, setQuery] = useSearchParams()
  const asked = new URLSearchParams(useSearch()).get('tab')
  const tab: Tab = TABS.find((one) => one === asked) ?? 'agencies'
  useWatch('menu', 'urge_agencies')
  const tabs = (
    <Segmented
      label={t('menu.urge_agencies')}
      value={tab}
      segments={TABS.map((value) => ({ value, label: t(`setup.tab.${value}`) }))}
      onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))}
    />
  )
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.urge_agencies')}</h1>
      {tab === 'agencies' ? (
        <Agencies tabs={tabs} />
      ) : (
        <Units key={tab} kind={tab === 'departments' ? 'department' : 'group'} tabs={tabs} />
      )}
    </div>
  )
}

const AGENCY_FILTERS = { name: 'text', officer: 'text', status: 'one' } as const

function Agencies({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['urge_agencies:add'])
  const mayEdit = usePermission(['urge_agencies:edit'])
  const mayWeigh = usePermission(['urge_agencies:weight'])
  const url = useGridUrlState(AGENCY_FILTERS, { sort: [{ field: 'name', dir: 'asc' }] })
  const list = usePageQuery<typeof listAgencies, Agency>(
    listAgencies,
    { ...url.input, ...filterInput(AGENCY_FILTERS, url.filters) },
    ['agency.changed', 'collector.changed'],
  )
  const [form, setForm] = useState<Agency | 'new' | 'weights' | null>(null)
  const rowActions = (row: Agency): RowAction[] => [
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
    // weights must go on to total 100, so one is locked among all
    ...(mayWeigh
      ? [
          {
            id: 'weight',
            text: t('alloc.key.lock'),
            icon: 'lock',
            disabledReason: offline,
            onClick: () => setForm('weights'),
          } as const,
        ]
      : []),
  ]
  return (
    <>
      <FilterBar
        fields={[
          { name: 'name', kind: 'text', label: t('setup.col.agencyName'), place: 'quick' },
          {
            name: 'officer',
            kind: 'text',
            label: t('setup.col.officer'),
            place: 'bar',
            placeholder: t('setup.col.officer'),
          },
          {
            name: 'status',
            kind: 'one',
            label: t('setup.col.status'),
            place: 'bar',
            options: ['enabled', 'locked'].map((value) => ({ value, label: t(`status.${value}`) })),
          },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayWeigh && (
          <ActionButton
            icon="changes"
            text={t('setup.weights')}
            disabledReason={offline}
            onClick={() => setForm('weights')}
          />
        )}
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('setup.addAgency')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Agency>
        id="urge_agencies"
        label={t('setup.tab.agencies')}
        columns={AGENCY_COLUMNS}
        query={list.query}
        getRowId={(row) => row.agencyId}
        view={url.view}
        onView={url.setView}
        {...(mayEdit ? { onOpen: (row: Agency) => setForm(row) } : {})}
        {...(mayEdit || mayWeigh ? { rowActions } : {})}
        filters={url}
        emptyReason={{ text: t('setup.noAgencies') }}
        toolbar={tabs}
      />
      {form === 'weights' && <WeightsForm onDone={list.refetch} onClose={() => setForm(null)} />}
      {form !== null && form !== 'weights' && (
        <AgencyForm
          key={form === 'new' ? 'new' : `${form.agencyId}:${form.version}`}
          agency={form === 'new' ? null : form}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}

const UNIT_FILTERS = {
  name: 'text',
  officer: 'text',
  agencyId: 'one',
  departmentId: 'one',
} as const

function Units({ kind, tabs }: { kind: 'department' | 'group'; tabs: ReactNode }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['urge_agencies:add'])
  const mayEdit = usePermission(['urge_agencies:edit'])
  const url = useGridUrlState(UNIT_FILTERS, {
    sort: [
      { field: 'agencyName', dir: 'asc' },
      { field: 'name', dir: 'asc' },
    ],
  })
  const list = usePageQuery<typeof listGroups, Unit>(
    kind === 'group' ? listGroups : listDepartments,
    { ...url.input, ...filterInput(UNIT_FILTERS, url.filters) },
    ['agency.changed', 'collector.changed'],
  )
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 })
  const [form, setForm] = useState<Unit | 'new' | null>(null)
  return (
    <>
      <FilterBar
        fields={[
          { name: 'name', kind: 'text', label: t('setup.col.unitName'), place: 'quick' },
          {
            name: 'officer',
            kind: 'text',
            label: t('setup.col.officer'),
            place: 'bar',
            placeholder: t('setup.col.officer'),
          },
          {
            name: 'agencyId',
            kind: 'one',
            label: t('setup.col.agencyName'),
            place: 'bar',
            options: (tree.data?.agencies ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          },
          ...(kind === 'group'
            ? [
                {
                  name: 'departmentId',
                  kind: 'one',
                  label: t('setup.col.departmentName'),
                  place: 'bar',
                  options: (tree.data?.departments ?? []).map(({ id, name }) => ({
                    value: id,
                    label: name,
                  })),
                } as const,
              ]
            : []),
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t(`setup.add.${kind}`)}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Unit>
        id={`urge_agencies:${kind}`}
        label={t(`setup.tab.${kind}s`)}
        columns={kind === 'group' ? GROUP_COLUMNS : DEPARTMENT_COLUMNS}
        query={list.query}
        getRowId={(row) => row.id}
        view={url.view}
        onView={url.setView}
        {...(mayEdit
          ? {
              onOpen: (row: Unit) => setForm(row),
              rowActions: (row: Unit) => [
                {
                  id: 'edit',
                  text: t('setup.edit'),
                  icon: 'edit' as const,
                  disabledReason: offline,
                  onClick: () => setForm(row),
                },
              ],
            }
          : {})}
        filters={url}
        emptyReason={{ text: t('setup.noUnits') }}
        toolbar={tabs}
      />
      {form !== null && (
        <UnitForm
          key={form === 'new' ? 'new' : `${form.id}:${form.version}`}
          kind={kind}
          unit={form === 'new' ? null : form}
          tree={tree.data}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}
