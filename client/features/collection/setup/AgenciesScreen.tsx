/** Agencies with their weights; their departments and groups. */
import '../collection.css'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { addAgency, editAgency, listAgencies, weighAgencies } from '#shared/collection/setup-api.ts'
import { AGENCY_COLUMNS } from './agency-columns.ts'
import { AgencyForm } from './AgencyForm.tsx'
import type { Agency } from './setup-types.ts'
import { DepartmentList, GroupList } from './unit-lists.tsx'
import { WeightsForm } from './WeightsForm.tsx'

const addAction = panelAction<null>({
  id: 'add',
  endpoint: addAgency,
  text: 'setup.addAgency',
  panel: (_, { done, close }) => <AgencyForm agency={null} onDone={done} onClose={close} />,
})

const editAction = panelAction<Agency>({
  id: 'edit',
  endpoint: editAgency,
  text: 'setup.edit',
  icon: 'edit',
  panel: (agency, { done, close }) => <AgencyForm agency={agency} onDone={done} onClose={close} />,
})

const weightsAction = panelAction<Agency | null>({
  id: 'weights',
  endpoint: weighAgencies,
  text: 'setup.weights',
  icon: 'changes',
  panel: (_, { done, close }) => <WeightsForm onDone={done} onClose={close} />,
})

const AgencyList = listBody({
  endpoint: listAgencies,
  rowId: 'agencyId',
  texts: ['collection'],
  label: 'setup.tab.agencies',
  columns: AGENCY_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'setup.col.agencyName', place: 'quick' },
    officer: {
      kind: 'text',
      label: 'setup.col.officer',
      place: 'bar',
      placeholder: 'setup.col.officer',
    },
    status: {
      kind: 'one',
      label: 'setup.col.status',
      place: 'bar',
      options: wordsOf('status', ['enabled', 'locked']),
    },
  }),
  sort: 'name:asc',
  refreshOn: ['agency.changed', 'collector.changed'],
  buttons: [weightsAction],
  create: addAction,
  // the weights total 100, so one is locked among all of them
  actions: [editAction, { ...weightsAction, text: 'alloc.key.lock', icon: 'lock' }],
  open: 'edit',
  empty: 'setup.noAgencies',
})

export const Screen = tabbedScreen({
  texts: ['collection'],
  menu: 'urge_agencies',
  title: 'setup.tab',
  tabs: { agencies: AgencyList, departments: DepartmentList, groups: GroupList },
})
