/** Third parties of the apps that lend in instalments. */
import './vendors.css'
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listEmiApps, listEmiServices } from '#shared/vendors/emi-services-api.ts'
import { SERVICE_STATUSES, VENDOR_KINDS } from '#shared/vendors/vendor-kinds.ts'
import { listThirdParties } from '#shared/vendors/vendors-api.ts'
import { addEmiServiceAction, editEmiServiceAction, switchEmiAction } from './emi-actions.tsx'
import { AGAIN_MS, followHealth } from './vendor-apply.ts'
import { SERVICE_COLUMNS } from './vendor-columns.ts'

export const Screen = listScreen({
  endpoint: listEmiServices,
  rowId: 'id',
  texts: ['vendors'],
  columns: SERVICE_COLUMNS,
  filters: filtersOf({
    appId: {
      kind: 'one',
      label: 'col.appName',
      place: 'bar',
      options: ({ read }) =>
        named(read(listEmiApps)?.map(({ appId, name }) => ({ id: appId, name }))),
    },
    kind: { kind: 'one', label: 'col.kind', place: 'bar', options: wordsOf('kind', VENDOR_KINDS) },
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('status', SERVICE_STATUSES),
    },
  }),
  reads: [reads(listEmiApps, {}), reads(listThirdParties, {})],
  live: followHealth,
  everyMs: AGAIN_MS,
  create: addEmiServiceAction,
  actions: [editEmiServiceAction, switchEmiAction],
  open: 'edit',
  empty: 'noEmiServices',
})
