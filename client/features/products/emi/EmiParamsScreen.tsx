/** EMI terms of each app, and the plan they make. */
import '../products.css'
import { lazy } from 'react'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listEmiConfig, saveEmiConfig } from '#shared/products/emi-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { EMI_FILTERS, EMI_PARAM_COLUMNS } from './emi-columns.ts'
import type { EmiConfigRow } from './emi-types.ts'

// They bring the form library and the plan, which the list itself does not need.
const EmiParamsForm = lazy(() =>
  import('./EmiParamsForm.tsx').then((m) => ({ default: m.EmiParamsForm })),
)
const EmiPlanDrawer = lazy(() =>
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
