/** Columns and filters of the lists of EMI apps. */
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import type { ColumnSpec } from '#client/ui/grid/grid-columns.ts'
import {
  idColumn,
  integerColumn,
  moneyColumn,
  percentColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { PRODUCT_STATUSES } from '#shared/products/products-api.ts'
import { WebCell } from '../apps/web-cell.ts'
import type { EmiConfigRow, EmiInfoRow } from './emi-types.ts'

const title = (name: string) => `products:emi.col.${name}`

export const EMI_FILTERS = filtersOf({
  name: { kind: 'text', label: 'emi.col.appName', place: 'quick' },
  status: {
    kind: 'one',
    label: 'emi.col.appStatus',
    place: 'bar',
    options: wordsOf('status', PRODUCT_STATUSES),
  },
})

function appColumns<Row extends EmiInfoRow | EmiConfigRow>(): GridColumn<Row>[] {
  return [
    idColumn<Row>({ id: 'appId', title: title('appId'), width: 96, pin: 'left' }),
    textColumn<Row>({
      id: 'appName',
      title: title('appName'),
      width: 150,
      sort: 'appName',
      pin: 'left',
    }),
    statusColumn<Row>({
      id: 'appStatus',
      title: title('appStatus'),
      width: 108,
      sort: 'appStatus',
      word: (status, { t }) => t(`products:status.${status}`),
      tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
    }),
  ]
}

function timesColumn<Row extends EmiInfoRow | EmiConfigRow>(): GridColumn<Row> {
  return timeColumn<Row>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 152,
    sort: 'updateTime',
  })
}

const webColumn = (id: 'storeUrl' | 'privacyUrl'): GridColumn<EmiInfoRow> => ({
  ...textColumn<EmiInfoRow>({ id, title: `products:app.col.${id}`, width: 220 }),
  renderer: WebCell,
})
const ofApp = (id: string, width: number): ColumnSpec<EmiInfoRow, string | null> => ({
  id,
  title: `products:app.col.${id}`,
  width,
})

export const EMI_APP_COLUMNS: readonly GridColumn<EmiInfoRow>[] = [
  ...appColumns<EmiInfoRow>(),
  textColumn<EmiInfoRow>({ id: 'name', title: title('name'), width: 170 }),
  textColumn<EmiInfoRow>(ofApp('appVersion', 100)),
  textColumn<EmiInfoRow>(ofApp('minVersion', 152)),
  textColumn<EmiInfoRow>(ofApp('package', 180)),
  textColumn<EmiInfoRow>(ofApp('servicePhone', 156)),
  webColumn('storeUrl'),
  webColumn('privacyUrl'),
  timesColumn<EmiInfoRow>(),
]

export const EMI_PARAM_COLUMNS: readonly GridColumn<EmiConfigRow>[] = [
  ...appColumns<EmiConfigRow>(),
  textColumn<EmiConfigRow>({ id: 'productName', title: title('productName'), width: 170 }),
  statusColumn<EmiConfigRow>({
    id: 'productStatus',
    title: title('productStatus'),
    width: 128,
    word: (status, { t }) => (status ? t(`products:status.${status}`) : ''),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  moneyColumn<EmiConfigRow>({
    id: 'minAmount',
    title: title('minAmount'),
    width: 124,
    value: ({ config }) => config?.minAmount ?? null,
  }),
  moneyColumn<EmiConfigRow>({
    id: 'maxAmount',
    title: title('maxAmount'),
    width: 132,
    value: ({ config }) => config?.maxAmount ?? null,
  }),
  textColumn<EmiConfigRow>({
    id: 'instalments',
    title: title('instalments'),
    width: 150,
    value: ({ config }) => config?.instalments.join(', ') ?? '',
  }),
  percentColumn<EmiConfigRow>({
    id: 'annualRate',
    title: title('annualRate'),
    width: 124,
    value: ({ config }) => config?.annualRate ?? null,
  }),
  percentColumn<EmiConfigRow>({
    id: 'processingFee',
    title: title('processingFee'),
    width: 132,
    value: ({ config }) => config?.processingFee ?? null,
  }),
  integerColumn<EmiConfigRow>({
    id: 'dueDay',
    title: title('dueDay'),
    width: 100,
    value: ({ config }) => config?.dueDay ?? null,
  }),
  integerColumn<EmiConfigRow>({
    id: 'graceDays',
    title: title('graceDays'),
    width: 110,
    value: ({ config }) => config?.graceDays ?? null,
  }),
  moneyColumn<EmiConfigRow>({
    id: 'bounceCharge',
    title: title('bounceCharge'),
    width: 132,
    value: ({ config }) => config?.bounceCharge ?? null,
  }),
  wordColumn<EmiConfigRow>({
    id: 'prepayment',
    title: title('prepayment'),
    width: 170,
    value: ({ config }) => config?.prepayment ?? '',
    word: (effect, { t }) => (effect ? t(`products:emi.effect.${effect}`) : ''),
  }),
  integerColumn<EmiConfigRow>({
    id: 'coolingOffDays',
    title: title('coolingOffDays'),
    width: 140,
    value: ({ config }) => config?.coolingOffDays ?? null,
  }),
  timesColumn<EmiConfigRow>(),
]
