/** What can be done with the services of EMI apps: one call saves all of it. */
import { lazyPart } from '#client/base/load-part.ts'
import { callAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import { listEmiApps, saveEmiService } from '#shared/vendors/emi-services-api.ts'
import { listThirdParties } from '#shared/vendors/vendors-api.ts'
import { serviceSwitch } from './service-switch.tsx'
import type { Service } from './vendor-types.ts'

const ServiceForm = lazyPart(() =>
  import('./ServiceForm.tsx').then((m) => ({ default: m.ServiceForm })),
)

const form = (service: Service | null, { read, done, close }: PanelTools) => (
  <ServiceForm
    ofEmi
    service={service}
    apps={read(listEmiApps) ?? []}
    parties={read(listThirdParties) ?? []}
    onDone={done}
    onClose={close}
  />
)

export const addEmiServiceAction = panelAction<null>({
  id: 'add',
  endpoint: saveEmiService,
  text: 'action.add',
  panel: form,
})

export const editEmiServiceAction = panelAction<Service>({
  id: 'edit',
  endpoint: saveEmiService,
  text: 'action.edit',
  icon: 'edit',
  panel: form,
})

export const switchEmiAction = callAction(saveEmiService, {
  ...serviceSwitch,
  input: ({
    id,
    version,
    appId,
    thirdPartyId,
    cfgId,
    priority,
    share,
    remark,
    status,
  }: Service) => ({
    id,
    version,
    appId,
    thirdPartyId,
    cfgId,
    priority,
    share,
    remark,
    status: status === 'enabled' ? ('disabled' as const) : ('enabled' as const),
  }),
  done: 'saved',
})
