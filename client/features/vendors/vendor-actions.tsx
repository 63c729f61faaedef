/** What can be done with services, third parties and configurations. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import {
  addConfiguration,
  addService,
  addThirdParty,
  editService,
  flushVendors,
  generateServices,
  listServiceApps,
  listThirdParties,
  setConfigurationStatus,
  setServiceStatus,
} from '#shared/vendors/vendors-api.ts'
import { serviceSwitch } from './service-switch.tsx'
import type { Configuration, Service } from './vendor-types.ts'

// They bring the form library, which the list itself does not need.
const ServiceForm = lazyPart(() =>
  import('./ServiceForm.tsx').then((m) => ({ default: m.ServiceForm })),
)
const ThirdPartyForm = lazyPart(() =>
  import('./ThirdPartyForm.tsx').then((m) => ({ default: m.ThirdPartyForm })),
)
const ConfigurationForm = lazyPart(() =>
  import('./ConfigurationForm.tsx').then((m) => ({ default: m.ConfigurationForm })),
)
const GenerateForm = lazyPart(() =>
  import('./GenerateForm.tsx').then((m) => ({ default: m.GenerateForm })),
)

export const addServiceAction = panelAction<null>({
  id: 'add',
  endpoint: addService,
  text: 'action.add',
  panel: (_, { read, done, close }) => (
    <ServiceForm
      service={null}
      apps={read(listServiceApps) ?? []}
      parties={read(listThirdParties) ?? []}
      onDone={done}
      onClose={close}
    />
  ),
})

export const editServiceAction = panelAction<Service>({
  id: 'edit',
  endpoint: editService,
  text: 'action.edit',
  icon: 'edit',
  panel: (service, { read, done, close }) => (
    <ServiceForm
      service={service}
      apps={read(listServiceApps) ?? []}
      parties={read(listThirdParties) ?? []}
      onDone={done}
      onClose={close}
    />
  ),
})

export const switchAction = callAction(setServiceStatus, {
  ...serviceSwitch,
  input: ({ id, version, status }: Service) => ({
    id,
    version,
    status: status === 'enabled' ? ('disabled' as const) : ('enabled' as const),
  }),
  done: 'saved',
})

export const retireAction = callAction(setConfigurationStatus, {
  id: 'status',
  text: ({ status }: Configuration, { t }) => t(`action.${status === 'enabled' ? 'off' : 'on'}`),
  icon: ({ status }) => (status === 'enabled' ? 'disable' : 'play'),
  disabledReason: ({ status, apps }, { t }) =>
    status === 'enabled' && apps.length > 0 ? t('serves', { apps: apps.join(', ') }) : null,
  confirm: ({ status, name }, { t }) => {
    const isOn = status === 'enabled'
    return {
      title: t(isOn ? 'ask.retire' : 'ask.takeBack', { name }),
      confirmText: t(isOn ? 'action.off' : 'action.on'),
      intent: isOn ? 'warning' : 'primary',
      body: <p>{t(isOn ? 'ask.retireMeans' : 'ask.takeBackMeans')}</p>,
    }
  },
  input: ({ cfgId, version, status }) => ({
    cfgId,
    version,
    status: status === 'enabled' ? ('disabled' as const) : ('enabled' as const),
  }),
  done: 'saved',
})

export const addThirdPartyAction = panelAction<null>({
  id: 'thirdParty',
  endpoint: addThirdParty,
  text: 'action.thirdParty',
  icon: 'add',
  variant: 'outlined',
  panel: (_, { readAgain, done, close }) => (
    <ThirdPartyForm
      onDone={() => {
        readAgain(listThirdParties)
        done()
      }}
      onClose={close}
    />
  ),
})

export const addConfigurationAction = panelAction<null>({
  id: 'configuration',
  endpoint: addConfiguration,
  text: 'action.configuration',
  panel: (_, { read, readAgain, done, close }) => (
    <ConfigurationForm
      parties={read(listThirdParties) ?? []}
      onDone={() => {
        readAgain(listThirdParties)
        done()
      }}
      onClose={close}
    />
  ),
})

export const generateAction = panelAction<null>({
  id: 'generate',
  endpoint: generateServices,
  text: 'action.generate',
  icon: 'duplicate',
  variant: 'outlined',
  panel: (_, { done, close }) => <GenerateForm onDone={done} onClose={close} />,
})

export const flushAction = callAction<typeof flushVendors, null>(flushVendors, {
  id: 'flush',
  text: 'action.flush',
  icon: 'refresh',
  variant: 'outlined',
  confirm: (_, { t }) => ({
    title: t('ask.flush'),
    intent: 'warning',
    body: <p>{t('ask.flushMeans')}</p>,
  }),
  input: () => ({}),
  done: ({ count }, { t }) => t('flushed', { count }),
})
