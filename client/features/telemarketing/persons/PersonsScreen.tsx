/** Telemarketers: their segments, how many tasks they may have, and their work of today. */
import { filtersOf, named, reads, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { COLLECTOR_CHANGED } from '#shared/collection/collection-live.ts'
import { PRESENCE_CHANGED } from '#shared/session/session-live.ts'
import { listPersons, PERSON_STATUSES, personOptions } from '#shared/telemarketing/person-api.ts'
import {
  TELE_FOLLOWED,
  TELE_NODE_RUN,
  TELE_TASK_ASSIGNED,
} from '#shared/telemarketing/tele-live.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import {
  addAction,
  allocationOfMany,
  allocationRow,
  editAction,
  statusOfMany,
  statusRow,
} from './person-actions.tsx'
import { PERSON_COLUMNS } from './person-columns.ts'

export const Screen = listScreen({
  endpoint: listPersons,
  rowId: 'userId',
  texts: ['telemarketing', 'access'],
  columns: PERSON_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'person.col.name', place: 'quick' },
    segment: {
      kind: 'one',
      label: 'person.col.segments',
      place: 'bar',
      options: wordsOf('menu', SEGMENTS),
    },
    groupId: {
      kind: 'one',
      label: 'person.col.groupName',
      options: ({ read }) => named(read(personOptions)?.groups),
    },
    allocationFlag: { kind: 'one', label: 'person.col.allocationFlag', options: yesNo },
    status: {
      kind: 'one',
      label: 'person.col.status',
      options: wordsOf('access:status', PERSON_STATUSES),
    },
    online: { kind: 'one', label: 'person.col.online', options: yesNo },
  }),
  sort: 'account:asc',
  reads: [reads(personOptions, {})],
  refreshOn: [
    COLLECTOR_CHANGED.type,
    TELE_TASK_ASSIGNED.type,
    TELE_FOLLOWED.type,
    TELE_NODE_RUN.type,
    PRESENCE_CHANGED.type,
  ],
  create: addAction,
  actions: [editAction, ...allocationRow, ...statusRow],
  bulk: [...allocationOfMany, ...statusOfMany],
  open: 'edit',
  empty: 'person.none',
})
