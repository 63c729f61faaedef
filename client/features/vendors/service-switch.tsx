/** How a service is switched on or off, whichever call does it. */
import type { ListTools } from '#client/screen/list/list-types.ts'
import type { Service } from './vendor-types.ts'

export const serviceSwitch = {
  id: 'status',
  text: ({ status }: Service, { t }: ListTools) =>
    t(`action.${status === 'enabled' ? 'off' : 'on'}`),
  icon: ({ status }: Service) => (status === 'enabled' ? ('disable' as const) : ('play' as const)),
  separated: true,
  disabledReason: ({ isLast }: Service, { t }: ListTools) => (isLast ? t('isLast') : null),
  confirm: ({ status, thirdPartyName, appName, kind }: Service, { t }: ListTools) => {
    const isOn = status === 'enabled'
    return {
      title: t(isOn ? 'ask.off' : 'ask.on', { name: thirdPartyName, app: appName }),
      confirmText: t(isOn ? 'action.off' : 'action.on'),
      intent: isOn ? ('warning' as const) : ('primary' as const),
      body: <p>{t(isOn ? 'ask.offMeans' : 'ask.onMeans', { kind: t(`kind.${kind}`) })}</p>,
    }
  },
}
