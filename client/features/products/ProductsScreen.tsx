/** Loan products and their terms. Existing orders keep the terms they were made with. */
import './products.css'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import {
  listMerchants,
  listProducts,
  PRODUCT_STATUSES,
  productOptions,
} from '#shared/products/products-api.ts'
import { productColumns } from './product-columns.ts'
import {
  addAction,
  editAction,
  linkLenders,
  refreshAction,
  switchActions,
  templateAction,
  termsActions,
} from './product-actions.tsx'

export const Screen = listScreen({
  endpoint: listProducts,
  rowId: 'productId',
  texts: ['products'],
  columns: productColumns,
  filters: filtersOf({
    name: { kind: 'text', label: 'col.name', place: 'quick' },
    appId: {
      kind: 'one',
      label: 'col.appName',
      place: 'bar',
      options: ({ read }) => named(read(productOptions)?.apps),
    },
    status: {
      kind: 'one',
      label: 'col.status',
      place: 'bar',
      options: wordsOf('status', PRODUCT_STATUSES),
    },
    merchantId: {
      kind: 'one',
      label: 'col.merchantName',
      options: ({ read }) =>
        (read(listMerchants) ?? []).map(({ merchantId, name }) => ({
          value: merchantId,
          label: name,
        })),
    },
  }),
  sort: 'sort:asc',
  reads: [reads(productOptions, {}), reads(listMerchants, {})],
  refreshOn: [CONFIG_REFRESHED.type],
  buttons: [refreshAction, templateAction, linkLenders],
  create: addAction,
  actions: [editAction, ...termsActions, ...switchActions],
  open: 'edit',
  empty: 'none',
})
