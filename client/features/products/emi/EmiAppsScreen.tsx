/** What each app shows its installations about its EMI loans. */
import { lazyPart } from '#client/base/load-part.ts'
import '../products.css'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listEmiInfo, saveEmiInfo } from '#shared/products/emi-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { EMI_APP_COLUMNS, EMI_FILTERS } from './emi-columns.ts'
import type { EmiInfoRow } from './emi-types.ts'

// It brings the form library, which the list itself does not need.
const EmiAppForm = lazyPart(() =>
  import('./EmiAppForm.tsx').then((m) => ({ default: m.EmiAppForm })),
)

export const Screen = listScreen({
  endpoint: listEmiInfo,
  rowId: 'appId',
  texts: ['products'],
  columns: EMI_APP_COLUMNS,
  filters: EMI_FILTERS,
  sort: 'appName:asc',
  refreshOn: [CONFIG_REFRESHED.type],
  actions: [
    panelAction<EmiInfoRow>({
      id: 'edit',
      endpoint: saveEmiInfo,
      text: 'action.edit',
      icon: 'edit',
      panel: (row, { done, close }) => <EmiAppForm row={row} onDone={done} onClose={close} />,
    }),
  ],
  open: 'edit',
  empty: 'app.none',
})
