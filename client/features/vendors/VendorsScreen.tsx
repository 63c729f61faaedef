/** Third parties: which of them serve an app, and the configurations with which they are called. */
import './vendors.css'
import { filtersOf, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { BREAKER_STATES, SERVICE_STATUSES, VENDOR_KINDS } from '#shared/vendors/vendor-kinds.ts'
import {
  listConfigurations,
  listServiceApps,
  listServices,
  listThirdParties,
} from '#shared/vendors/vendors-api.ts'
import {
  addConfigurationAction,
  addServiceAction,
  addThirdPartyAction,
  editServiceAction,
  flushAction,
  generateAction,
  retireAction,
  switchAction,
} from './vendor-actions.tsx'
import { AGAIN_MS, followHealth } from './vendor-apply.ts'
import { CONFIGURATION_COLUMNS, SERVICE_COLUMNS } from './vendor-columns.ts'

const TEXTS = ['vendors'] as const

const thirdPartyId = {
  kind: 'one',
  label: 'col.thirdPartyName',
  place: 'bar',
  options: ({ read }: { read: (endpoint: typeof listThirdParties) => Parties | undefined }) =>
    (read(listThirdParties) ?? []).map((party) => ({
      value: party.thirdPartyId,
      label: party.name,
    })),
} as const
type Parties = readonly { thirdPartyId: string; name: string }[]
const kind = {
  kind: 'one',
  label: 'col.kind',
  place: 'bar',
  options: wordsOf('kind', VENDOR_KINDS),
} as const

const Services = listBody({
  endpoint: listServices,
  rowId: 'id',
  texts: TEXTS,
  label: 'tab.services',
  columns: SERVICE_COLUMNS,
  filters: filtersOf({
    appId: {
      kind: 'one',
      label: 'col.appName',
      place: 'bar',
      options: ({ read }) =>
        (read(listServiceApps) ?? []).map(({ appId, name }) => ({ value: appId, label: name })),
    },
    kind,
    thirdPartyId,
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('status', SERVICE_STATUSES),
    },
  }),
  reads: [reads(listServiceApps, {}), reads(listThirdParties, {})],
  live: followHealth,
  everyMs: AGAIN_MS,
  buttons: [flushAction, generateAction],
  create: addServiceAction,
  actions: [editServiceAction, switchAction],
  open: 'edit',
  empty: 'noServices',
})

const Configurations = listBody({
  endpoint: listConfigurations,
  rowId: 'cfgId',
  id: 'three_config:configurations',
  texts: TEXTS,
  label: 'tab.configurations',
  columns: CONFIGURATION_COLUMNS,
  filters: filtersOf({
    kind,
    thirdPartyId,
    breaker: {
      kind: 'one',
      label: 'col.breaker',
      place: 'bar',
      options: wordsOf('breaker', BREAKER_STATES),
    },
  }),
  sort: 'thirdPartyName:asc',
  reads: [reads(listThirdParties, {})],
  live: followHealth,
  everyMs: AGAIN_MS,
  buttons: [flushAction, addThirdPartyAction],
  create: addConfigurationAction,
  actions: [retireAction],
  empty: 'noConfigurations',
})

export const Screen = tabbedScreen({
  texts: TEXTS,
  menu: 'three_config',
  title: 'tab',
  tabs: { services: Services, configurations: Configurations },
})
