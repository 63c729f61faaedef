/** Outbound phone lines and the people who dial from them. */
import '../system.css'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { COLLECTOR_CHANGED } from '#shared/collection/collection-live.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { LINE_KINDS, LINE_STATES, listLines } from '#shared/system/lines-api.ts'
import {
  addLineAction,
  bindAction,
  editLineAction,
  switchLines,
  switchRow,
  unbindAction,
} from './line-actions.tsx'
import { LINE_COLUMNS } from './line-columns.ts'

export const Screen = listScreen({
  endpoint: listLines,
  rowId: 'lineId',
  texts: ['system'],
  columns: LINE_COLUMNS,
  filters: filtersOf({
    number: { kind: 'text', label: 'line.col.number', place: 'quick' },
    kind: {
      kind: 'one',
      label: 'line.col.kind',
      place: 'bar',
      options: wordsOf('line.kind', LINE_KINDS),
    },
    status: {
      kind: 'one',
      label: 'line.col.status',
      place: 'bar',
      options: wordsOf('state', LINE_STATES),
    },
    vendorCode: { kind: 'text', label: 'line.col.vendorCode' },
    boundTo: { kind: 'text', label: 'line.col.boundName' },
  }),
  sort: 'number:asc',
  refreshOn: [CONFIG_REFRESHED.type, COLLECTOR_CHANGED.type],
  create: addLineAction,
  actions: [editLineAction, bindAction, unbindAction, ...switchRow],
  bulk: switchLines,
  open: 'edit',
  empty: 'line.none',
})
