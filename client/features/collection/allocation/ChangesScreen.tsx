/** Requests to move cases, and the log of every move. */
import '../collection.css'
import './allocation.css'
import { rowLink } from '#client/screen/list/list-actions.ts'
import { reads } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { listChanges, listMoves } from '#shared/collection/allocation-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { useAwayLinks } from '../away-links.ts'
import { decideRow, decisions, launchAction } from './change-actions.tsx'
import { CHANGE_COLUMNS, type Move, MOVE_COLUMNS, moversHere } from './change-columns.ts'
import { CHANGE_FILTERS, changeFields, MOVE_FILTERS, moveFields } from './change-filters.ts'
import { casePath } from '#shared/collection/case-path.ts'

const Requests = listBody({
  endpoint: listChanges,
  rowId: 'changeId',
  texts: ['collection'],
  id: 'change_case:requests',
  label: 'change.tab.requests',
  columns: CHANGE_COLUMNS,
  filters: {
    kinds: CHANGE_FILTERS,
    fields: ({ t, read }) => changeFields(t, read(collectionTree)),
  },
  reads: [reads(collectionTree, {})],
  refreshOn: ['change.changed'],
  attendance: moversHere,
  create: launchAction,
  actions: decideRow,
  bulk: decisions,
  empty: 'change.none',
})

const Log = listBody({
  endpoint: listMoves,
  rowId: 'moveId',
  texts: ['collection'],
  id: 'change_case:log',
  label: 'change.tab.log',
  columns: MOVE_COLUMNS,
  useColumns: useAwayLinks,
  filters: { kinds: MOVE_FILTERS, fields: ({ t, read }) => moveFields(t, read(collectionTree)) },
  reads: [reads(collectionTree, {})],
  refreshOn: [
    'case.allocated',
    'cases.allocated',
    'case.recalled',
    'case.stage.moved',
    'allocation.run.changed',
  ],
  attendance: moversHere,
  open: rowLink<Move>({
    path: ({ caseId }) => casePath(caseId, 'pedding_list'),
  }),
  empty: 'change.noMoves',
})

export const Screen = tabbedScreen({
  texts: ['collection'],
  menu: 'change_case',
  title: 'change.tab',
  tabs: { requests: Requests, log: Log },
})
