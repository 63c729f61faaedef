/** Customer apps: what their installations get with a request, and what they offer. */
import '../products.css'
import { filtersOf, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listApps, listGroups } from '#shared/products/apps-api.ts'
import { PRODUCT_STATUSES } from '#shared/products/products-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { addAppAction, addGroupAction, editAppAction, refreshAppsAction } from './app-actions.tsx'
import { APP_COLUMNS } from './app-columns.ts'

export const Screen = listScreen({
  endpoint: listApps,
  rowId: 'appId',
  texts: ['products'],
  columns: APP_COLUMNS,
  filters: filtersOf({
    name: { kind: 'text', label: 'app.col.name', place: 'quick' },
    groupId: {
      kind: 'one',
      label: 'app.col.groupName',
      place: 'bar',
      options: ({ read }) =>
        (read(listGroups) ?? []).map(({ groupId, name }) => ({ value: groupId, label: name })),
    },
    status: {
      kind: 'one',
      label: 'app.col.status',
      place: 'bar',
      options: wordsOf('status', PRODUCT_STATUSES),
    },
  }),
  sort: 'name:asc',
  reads: [reads(listGroups, {})],
  refreshOn: [CONFIG_REFRESHED.type],
  buttons: [refreshAppsAction, addGroupAction],
  create: addAppAction,
  actions: [editAppAction],
  open: 'edit',
  empty: 'app.none',
})
