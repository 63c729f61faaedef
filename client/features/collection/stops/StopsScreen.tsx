/** Stops of collection: requested, decided and ended. */
import '../collection.css'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { STOP_REASONS, STOP_STATES } from '#shared/collection/collection-sets.ts'
import { listStops } from '#shared/collection/stops-api.ts'
import { addStopAction, decideRow, decisions, filesAction, stopLinks } from './stop-actions.tsx'
import { STOP_COLUMNS } from './stop-columns.ts'
import { useStopLinks } from './use-stop-links.ts'

export const Screen = listScreen({
  endpoint: listStops,
  rowId: 'stopId',
  texts: ['collection'],
  columns: STOP_COLUMNS,
  useColumns: useStopLinks,
  filters: filtersOf({
    userName: {
      kind: 'text',
      label: 'stop.col.userName',
      place: 'quick',
      placeholder: 'desk.searchName',
    },
    state: {
      kind: 'one',
      label: 'stop.col.state',
      place: 'bar',
      options: wordsOf('stopState', STOP_STATES),
    },
    reason: {
      kind: 'one',
      label: 'stop.col.reason',
      place: 'bar',
      options: wordsOf('stopReason', STOP_REASONS),
    },
    userId: { kind: 'text', label: 'desk.col.userId' },
    orderId: { kind: 'text', label: 'desk.col.orderId' },
    start: { kind: 'day', label: 'stop.col.startTime' },
  }),
  refreshOn: ['case.stop.changed'],
  create: addStopAction,
  actions: [filesAction, ...stopLinks, ...decideRow],
  bulk: decisions,
  open: 'customer',
  empty: 'stop.none',
})
