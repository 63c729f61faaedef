/** Columns of the list of apps. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { App } from './app-types.ts'
import { WebCell } from './web-cell.ts'

const title = (name: string) => `products:app.col.${name}`
const webColumn = (id: 'storeUrl' | 'privacyUrl'): GridColumn<App> => ({
  ...textColumn<App>({ id, title: title(id), width: 220 }),
  renderer: WebCell,
})

export const APP_COLUMNS: readonly GridColumn<App>[] = [
  idColumn<App>({ id: 'appId', title: title('appId'), width: 96, pin: 'left' }),
  textColumn<App>({ id: 'name', title: title('name'), width: 150, sort: 'name', pin: 'left' }),
  statusColumn<App>({
    id: 'status',
    title: title('status'),
    width: 108,
    sort: 'status',
    word: (status, { t }) => t(`products:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  textColumn<App>({ id: 'code', title: title('code'), width: 112, sort: 'code' }),
  textColumn<App>({ id: 'groupName', title: title('groupName'), width: 132, sort: 'groupName' }),
  textColumn<App>({
    id: 'merchantName',
    title: title('merchantName'),
    width: 140,
    sort: 'merchantName',
  }),
  integerColumn<App>({
    id: 'offered',
    title: title('offered'),
    width: 168,
    className: (row) => (row.offered === 0 && row.status === 'enabled' ? 'cell-warn' : ''),
  }),
  textColumn<App>({ id: 'appVersion', title: title('appVersion'), width: 100 }),
  textColumn<App>({ id: 'minVersion', title: title('minVersion'), width: 152 }),
  yesNoColumn<App>({ id: 'forceUpdate', title: title('forceUpdate'), width: 128 }),
  textColumn<App>({ id: 'package', title: title('package'), width: 180 }),
  textColumn<App>({ id: 'servicePhone', title: title('servicePhone'), width: 156 }),
  webColumn('storeUrl'),
  webColumn('privacyUrl'),
  timeColumn<App>({ id: 'updateTime', title: title('updateTime'), width: 152, sort: 'updateTime' }),
]
