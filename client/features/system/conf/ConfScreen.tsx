/** Parameters: figures of the product and of the company that an owner may change. */
import '../system.css'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { CONFIG_STATES, listConfig, MOST_PARAMETERS } from '#shared/system/config-api.ts'
import {
  addAction,
  addManyAction,
  editAction,
  editManyAction,
  refreshAction,
  switchAction,
} from './parameter-actions.tsx'
import { PARAMETER_COLUMNS } from './parameter-columns.ts'

export const Screen = listScreen({
  endpoint: listConfig,
  rowId: 'configId',
  texts: ['system', 'parameters'],
  columns: PARAMETER_COLUMNS,
  filters: filtersOf({
    code: { kind: 'text', label: 'conf.col.code', place: 'quick' },
    name: {
      kind: 'text',
      label: 'conf.col.name',
      place: 'bar',
      placeholder: 'conf.col.name',
    },
    state: {
      kind: 'one',
      label: 'conf.col.state',
      place: 'bar',
      options: wordsOf('state', CONFIG_STATES),
    },
    number: { kind: 'text', label: 'conf.col.number' },
  }),
  // names are found and sorted as they are read here
  input: (query, { language }) => ({ ...listInput(listConfig, query), language }),
  sort: 'code:asc',
  refreshOn: [CONFIG_REFRESHED.type],
  buttons: [refreshAction, addManyAction],
  create: addAction,
  actions: [editAction, switchAction],
  bulk: [editManyAction],
  most: MOST_PARAMETERS,
  open: 'edit',
  empty: 'conf.none',
})
