/** Collectors: their unit, what they may be given, and whether they are on duty. */
import '../collection.css'
import { filtersOf, named, reads, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import {
  COLLECTOR_ROLES,
  listPersons,
  listStages,
  PERSON_STATUSES,
} from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import {
  addPersonAction,
  allocationRow,
  casesAction,
  editPersonAction,
  statusOfMany,
  statusRow,
  switchAllocation,
} from './person-actions.tsx'
import { personColumns } from './person-columns.ts'

export const Screen = listScreen({
  endpoint: listPersons,
  rowId: 'userId',
  texts: ['collection'],
  columns: personColumns,
  filters: filtersOf({
    name: { kind: 'text', label: 'setup.col.name', place: 'quick' },
    agencyId: {
      kind: 'one',
      label: 'setup.col.agencyName',
      place: 'bar',
      options: ({ read }) => named(read(collectionTree)?.agencies),
    },
    stageId: {
      kind: 'one',
      label: 'setup.col.stages',
      place: 'bar',
      options: ({ read }) =>
        (read(listStages)?.rows ?? []).map(({ stageId }) => ({ value: stageId, label: stageId })),
    },
    account: { kind: 'text', label: 'setup.col.account' },
    departmentId: {
      kind: 'one',
      label: 'setup.col.departmentName',
      options: ({ read }) => named(read(collectionTree)?.departments),
    },
    groupId: {
      kind: 'one',
      label: 'setup.col.groupName',
      options: ({ read }) => named(read(collectionTree)?.groups),
    },
    roleMark: { kind: 'one', label: 'setup.col.role', options: wordsOf('role', COLLECTOR_ROLES) },
    allocationFlag: { kind: 'one', label: 'setup.col.allocationFlag', options: yesNo },
    status: {
      kind: 'one',
      label: 'setup.col.accountStatus',
      options: wordsOf('status', PERSON_STATUSES),
    },
    online: { kind: 'one', label: 'setup.col.online', options: yesNo },
    certValid: { kind: 'one', label: 'setup.col.certValid', options: yesNo },
  }),
  sort: 'account:asc',
  reads: [reads(collectionTree, {}), reads(listStages, {})],
  refreshOn: [
    'collector.changed',
    'presence.changed',
    'schedule.changed',
    'case.allocated',
    'cases.allocated',
    'case.recalled',
  ],
  create: addPersonAction,
  actions: [editPersonAction, ...allocationRow, casesAction, statusRow],
  bulk: [...switchAllocation, statusOfMany],
  open: 'edit',
  empty: 'setup.noPersons',
})
