/** Columns of the list of products. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
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
import { LogoCell } from './logo-cell.ts'
import type { Product } from './product-types.ts'

const title = (name: string) => `products:col.${name}`
/** EMI products count in months. */
function ofEven(row: Product, name: 'tenureDays' | 'daysPerPeriod' | 'dailyRate'): number | null {
  return row.kind === 'emi' ? null : row[name]
}

const ALL: readonly GridColumn<Product>[] = [
  idColumn<Product>({ id: 'productId', title: title('productId'), width: 104, pin: 'left' }),
  // compares the logo together with the name, else a cell with an unchanged name keeps the old logo
  {
    ...textColumn<Product>({
      id: 'name',
      title: title('name'),
      width: 190,
      sort: 'name',
      pin: 'left',
      text: (row) => row.name,
      tip: (row) => row.name,
      value: (row) => [row.name, row.logoFileId ?? ''].join('\n'),
    }),
    renderer: LogoCell,
  },
  statusColumn<Product>({
    id: 'status',
    title: title('status'),
    width: 108,
    sort: 'status',
    word: (status, { t }) => t(`products:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  wordColumn<Product>({
    id: 'kind',
    title: title('kind'),
    width: 132,
    word: (kind, { t }) => t(`products:kind.${kind}`),
  }),
  textColumn<Product>({ id: 'appName', title: title('appName'), width: 130, sort: 'appName' }),
  textColumn<Product>({
    id: 'merchantName',
    title: title('merchantName'),
    width: 140,
    sort: 'merchantName',
  }),
  moneyColumn<Product>({
    id: 'minAmount',
    title: title('minAmount'),
    width: 128,
    sort: 'minAmount',
  }),
  moneyColumn<Product>({
    id: 'maxAmount',
    title: title('maxAmount'),
    width: 138,
    sort: 'maxAmount',
  }),
  integerColumn<Product>({
    id: 'tenureDays',
    title: title('tenureDays'),
    width: 118,
    sort: 'tenureDays',
    value: (row) => ofEven(row, 'tenureDays'),
  }),
  integerColumn<Product>({ id: 'periods', title: title('periods'), width: 116 }),
  integerColumn<Product>({
    id: 'daysPerPeriod',
    title: title('daysPerPeriod'),
    width: 148,
    value: (row) => ofEven(row, 'daysPerPeriod'),
  }),
  percentColumn<Product>({
    id: 'serviceRate',
    title: title('serviceRate'),
    width: 122,
    sort: 'serviceRate',
  }),
  percentColumn<Product>({
    id: 'dailyRate',
    title: title('dailyRate'),
    width: 136,
    sort: 'dailyRate',
    value: (row) => ofEven(row, 'dailyRate'),
  }),
  percentColumn<Product>({ id: 'annualRate', title: title('annualRate'), width: 124 }),
  integerColumn<Product>({ id: 'openOrders', title: title('openOrders'), width: 148 }),
  integerColumn<Product>({ id: 'sort', title: title('sort'), width: 90, sort: 'sort' }),
  timeColumn<Product>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 152,
    sort: 'updateTime',
  }),
]
const NARROW = ALL.map((column) =>
  ['periods', 'daysPerPeriod', 'sort'].includes(column.id) ? { ...column, hidden: true } : column,
)

export function productColumns({ isWide }: ListContext): readonly GridColumn<Product>[] {
  return isWide ? ALL : NARROW
}
