/** Collectors: where they belong, what they may be given, whether they are there (screens.md 5.3). */
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  dayColumn,
  idColumn,
  integerColumn,
  moneyColumn,
  staffColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import {
  type addPerson,
  collectionTree,
  COLLECTOR_ROLES,
  listPersons,
  listStages,
  openAllocation,
  PERSON_STATUSES,
} from '#shared/collection/setup-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { useSay } from '../use-say.ts'
import { PersonForm } from './PersonForm.tsx'
import { StatusForm } from './StatusForm.tsx'

export type Person = DataOf<typeof addPerson>

const title = (name: string) => `collection:setup.col.${name}`
const ALL: readonly GridColumn<Person>[] = [
  idColumn<Person>({
    id: 'account',
    title: title('account'),
    width: 150,
    sort: 'account',
    pin: 'left',
  }),
  staffColumn<Person>({
    id: 'name',
    title: title('name'),
    width: 160,
    sort: 'name',
    presence: (row) => (row.online ? 'online' : 'offline'),
  }),
  textColumn<Person>({
    id: 'roleMark',
    title: title('role'),
    width: 150,
    text: (row, { t }) => t(`collection:role.${row.roleMark}`),
    tip: (row, { t }) => t(`collection:role.${row.roleMark}`),
  }),
  textColumn<Person>({
    id: 'agencyName',
    title: title('agencyName'),
    width: 152,
    sort: 'agencyName',
  }),
  textColumn<Person>({
    id: 'departmentName',
    title: title('departmentName'),
    width: 150,
    sort: 'departmentName',
  }),
  textColumn<Person>({ id: 'groupName', title: title('groupName'), width: 116, sort: 'groupName' }),
  tagsColumn<Person>({ id: 'stageIds', title: title('stages'), width: 176 }),
  yesNoColumn<Person>({ id: 'onDuty', title: title('onDuty'), width: 84 }),
  yesNoColumn<Person>({ id: 'allocationFlag', title: title('allocationFlag'), width: 108 }),
  integerColumn<Person>({
    id: 'openCases',
    title: title('openCases'),
    width: 92,
    sort: 'openCases',
  }),
  integerColumn<Person>({ id: 'capacity', title: title('capacity'), width: 92, sort: 'capacity' }),
  integerColumn<Person>({ id: 'weight', title: title('weight'), width: 84, sort: 'weight' }),
  dayColumn<Person>({
    id: 'certExpiry',
    title: title('certExpiry'),
    width: 120,
    sort: 'certExpiry',
    className: (row) => (row.certValid ? '' : 'cell-bad'),
  }),
  statusColumn<Person>({
    id: 'status',
    title: title('accountStatus'),
    width: 110,
    word: (status, { t }) => t(`collection:status.${status}`),
    tone: (status) => (status === 'normal' ? 'good' : status === 'frozen' ? 'warn' : 'neutral'),
  }),
  moneyColumn<Person>({
    id: 'todayRecovered',
    title: title('todayRecovered'),
    width: 120,
    sort: 'todayRecovered',
  }),
  yesNoColumn<Person>({ id: 'addressBookVisible', title: title('addressBookVisible'), width: 130 }),
  textColumn<Person>({ id: 'seatNumber', title: title('seatNumber'), width: 90 }),
  textColumn<Person>({ id: 'certNo', title: title('certNo'), width: 110 }),
]
const shown = (ids: readonly string[]) =>
  ALL.map((column) => (ids.includes(column.id) ? column : { ...column, hidden: true }))
const NARROW = shown([
  'account',
  'name',
  'agencyName',
  'groupName',
  'stageIds',
  'onDuty',
  'allocationFlag',
  'openCases',
  'certNo',
  'certExpiry',
  'status',
])
const WIDE = shown([
  'account',
  'name',
  'roleMark',
  'agencyName',
  'departmentName',
  'groupName',
  'stageIds',
  'onDuty',
  'allocationFlag',
  'openCases',
  'capacity',
  'weight',
  'certNo',
  'certExpiry',
  'status',
  'todayRecovered',
])

const FILTERS = {
  name: 'text',
  account: 'text',
  agencyId: 'one',
  departmentId: 'one',
  groupId: 'one',
  stageId: 'one',
  roleMark: 'one',
  allocationFlag: 'one',
  status: 'one',
  online: 'one',
  certValid: 'one',
} as const
const EVENTS = [
  'collector.changed',
  'schedule.changed',
  'case.allocated',
  'cases.allocated',
  'case.recalled',
]

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['urge_person:add'])
  const mayEdit = usePermission(['urge_person:edit'])
  const maySwitch = usePermission(['urge_person:status'])
  const mayOpen = usePermission(['urge_person:allocation'])
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'account', dir: 'asc' }] })
  const input = useMemo<InputOf<typeof listPersons>>(
    () => ({ ...url.input, ...asInput(filterInput(FILTERS, url.filters)) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listPersons, Person>(listPersons, input, EVENTS)
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 })
  const stages = useQuery({ ...queryOf(listStages, {}, { quiet: true }), staleTime: 60_000 })
  const selection = useGridSelection<Person>(JSON.stringify(url.filters), () =>
    readMatching(list.query, getRowId),
  )
  const send = useSend(openAllocation)
  const [form, setForm] = useState<Person | 'new' | null>(null)
  const [switching, setSwitching] = useState<readonly Person[] | null>(null)
  const [opening, setOpening] = useState<{ people: readonly Person[]; open: boolean } | null>(null)
  const { run, refused } = useBulk({
    key: 'persons',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  useWatch('menu', 'urge_person')

  const rowActions = (row: Person): RowAction[] => [
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
    ...(mayOpen
      ? [
          {
            id: 'allocation',
            text: t(row.allocationFlag ? 'setup.closeAllocation' : 'setup.openAllocation'),
            icon: row.allocationFlag ? 'pause' : 'play',
            disabledReason: offline,
            onClick: () => setOpening({ people: [row], open: !row.allocationFlag }),
          } as const,
        ]
      : []),
    {
      id: 'cases',
      text: t('setup.showCases'),
      icon: 'list',
      onClick: () =>
        navigate(`/loaned_management/pedding_list?collectorId=${encodeURIComponent(row.userId)}`),
    },
    ...(maySwitch
      ? [
          {
            id: 'status',
            text: t('setup.status'),
            icon: 'disable',
            intent: 'danger',
            separated: true,
            disabledReason: row.userId === user.userId ? t('setup.notYourself') : offline,
            onClick: () => setSwitching([row]),
          } as const,
        ]
      : []),
  ]
  const yesNo = [
    { value: 'true', label: t('ui:yes') },
    { value: 'false', label: t('ui:no') },
  ]
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.urge_person')}</h1>
      <FilterBar
        fields={[
          { name: 'name', kind: 'text', label: t('setup.col.name'), place: 'quick' },
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
          {
            name: 'stageId',
            kind: 'one',
            label: t('setup.col.stages'),
            place: 'bar',
            options: (stages.data?.rows ?? []).map(({ stageId }) => ({
              value: stageId,
              label: stageId,
            })),
          },
          { name: 'account', kind: 'text', label: t('setup.col.account') },
          {
            name: 'departmentId',
            kind: 'one',
            label: t('setup.col.departmentName'),
            options: (tree.data?.departments ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            })),
          },
          {
            name: 'groupId',
            kind: 'one',
            label: t('setup.col.groupName'),
            options: (tree.data?.groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            name: 'roleMark',
            kind: 'one',
            label: t('setup.col.role'),
            options: COLLECTOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) })),
          },
          {
            name: 'allocationFlag',
            kind: 'one',
            label: t('setup.col.allocationFlag'),
            options: yesNo,
          },
          {
            name: 'status',
            kind: 'one',
            label: t('setup.col.accountStatus'),
            options: PERSON_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          },
          { name: 'online', kind: 'one', label: t('setup.col.online'), options: yesNo },
          { name: 'certValid', kind: 'one', label: t('setup.col.certValid'), options: yesNo },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="new-person"
            intent="primary"
            text={t('setup.addPerson')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Person>
        id="urge_person"
        label={t('menu.urge_person')}
        columns={wide ? WIDE : NARROW}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        {...(mayOpen || maySwitch ? { selection } : {})}
        {...(mayEdit ? { onOpen: (row: Person) => setForm(row) } : {})}
        rowActions={rowActions}
        bulkBar={(chosen) => (
          <>
            {mayOpen && (
              <ActionButton
                icon="play"
                text={t('setup.openAllocation')}
                disabledReason={offline}
                onClick={() => chosen.take((people) => setOpening({ people, open: true }))}
              />
            )}
            {mayOpen && (
              <ActionButton
                icon="pause"
                text={t('setup.closeAllocation')}
                disabledReason={offline}
                onClick={() => chosen.take((people) => setOpening({ people, open: false }))}
              />
            )}
            {maySwitch && (
              <ActionButton
                icon="disable"
                intent="danger"
                text={t('setup.status')}
                disabledReason={offline}
                onClick={() => chosen.take(setSwitching)}
              />
            )}
          </>
        )}
        filters={url}
        emptyReason={{ text: t('setup.noPersons') }}
      />
      {form !== null && (
        <PersonForm
          key={form === 'new' ? 'new' : `${form.userId}:${form.version}`}
          person={form === 'new' ? null : form}
          tree={tree.data}
          stages={stages.data?.rows ?? []}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
      {switching !== null && (
        <StatusForm
          people={switching}
          tree={tree.data}
          onSend={(send) => run(switching.map(getRowId), send, true)}
          onClose={() => setSwitching(null)}
        />
      )}
      <ConfirmAction
        isOpen={opening !== null}
        intent={opening?.open ? 'primary' : 'warning'}
        title={t(opening?.open ? 'setup.askOpen' : 'setup.askClose')}
        count={opening?.people.length ?? 0}
        confirmText={t(opening?.open ? 'setup.openAllocation' : 'setup.closeAllocation')}
        onConfirm={async () => {
          if (opening === null) return
          await run(opening.people.map(getRowId), (userIds) =>
            send.mutateAsync({ userIds, open: opening.open }),
          )
        }}
        onClose={() => setOpening(null)}
      >
        <p>
          {opening?.people
            .map((person) => person.name)
            .slice(0, 8)
            .join(', ')}
        </p>
        {opening?.open === false && <p>{t('setup.closedMeans')}</p>}
      </ConfirmAction>
      {refused}
    </div>
  )
}

const getRowId = (row: Person) => row.userId

/** Yes and no travel as booleans. */
function asInput(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value === 'true' ? true : value === 'false' ? false : value,
    ]),
  )
}
