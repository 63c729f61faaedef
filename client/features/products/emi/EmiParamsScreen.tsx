/** EMI terms of each app, and the plan they make. */
import { lazyPart } from '#client/base/load-part.ts'
import '../products.css'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listEmiConfig, saveEmiConfig } from '#shared/products/emi-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { EMI_FILTERS, EMI_PARAM_COLUMNS } from './emi-columns.ts'
import type { EmiConfigRow } from './emi-types.ts'

// They bring the form library and the plan, which the list itself does not need.
const EmiParamsForm = lazyPart(() =>
  import('./EmiParamsForm.tsx').then((m) => ({ default: m.EmiParamsForm })),
)
const EmiPlanDrawer = lazyPart(() =>
  import('./EmiPlanDrawer.tsx').then((m) => ({ default: m.EmiPlanDrawer })),
)

export const Screen = listScreen({
  endpoint: listEmiConfig,
  rowId: 'appId',
  texts: ['products'],
  columns: EMI_PARAM_COLUMNS,
  filters: EMI_FILTERS,
  sort: 'appName:asc',
  refreshOn: [CONFIG_REFRESHED.type],
  actions: [
    panelAction<EmiConfigRow>({
      id: 'plan',
      text: 'emi.plan',
      icon: 'calendar',
      isLook: true,
      disabledReason: ({ config }, { t }) => (config === null ? t('emi.noTerms') : null),
      panel: (row, { close }) => <EmiPlanDrawer row={row} onClose={close} />,
    }),
    panelAction<EmiConfigRow>({
      id: 'edit',
      endpoint: saveEmiConfig,
      text: 'action.edit',
      icon: 'edit',
      panel: (row, { done, close }) => <EmiParamsForm row={row} onDone={done} onClose={close} />,
    }),
  ],
  open: 'edit',
  empty: 'app.none',
})
