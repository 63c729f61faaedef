/** Customer search and, on a second tab, the blacklist. The tab is stored in the URL. */
import '../customers.css'
import { reads } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import {
  customerOptions,
  listBlacklist,
  listCustomers,
} from '#shared/customers/customer-list-api.ts'
import { COUPON_GRANTED, COUPONS_GRANTED } from '#shared/coupons/coupons-live.ts'
import { BLACKLIST_CHANGED, CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import { CUSTOMER_TEXTS } from '../use-customer-text.ts'
import { customerActions, customerBulk, entryActions, entryBulk } from './customer-actions.tsx'
import { BLACKLIST_COLUMNS, CUSTOMER_COLUMNS } from './customer-columns.ts'
import {
  BLACKLIST_FILTERS,
  blacklistFields,
  CUSTOMER_FILTERS,
  customerFields,
  customerInput,
  NUMBER_FILTERS,
} from './customer-filters.ts'

const MENU = 'customer_list'
const REFRESH = [BLACKLIST_CHANGED.type]

const Customers = listBody({
  endpoint: listCustomers,
  rowId: 'userId',
  texts: CUSTOMER_TEXTS,
  menu: MENU,
  columns: ({ isWide }) => CUSTOMER_COLUMNS[isWide ? 'wide' : 'narrow'],
  filters: {
    kinds: { ...CUSTOMER_FILTERS, ...NUMBER_FILTERS },
    fields: ({ t, read }) => customerFields(t, read(customerOptions)),
  },
  input(query, { t }) {
    const { input, fault } = customerInput(query)
    return fault === null ? input : t(`fault.filter.${fault}`)
  },
  reads: [reads(customerOptions, {})],
  // a node grants coupons to many at once
  refreshOn: [...REFRESH, COUPONS_GRANTED.type],
  // a new order or a repaid loan changes the customer's figures
  touches: {
    events: [CUSTOMER_CHANGED.type, ORDER_CREATED.type, COUPON_GRANTED.type],
    rowOf: ({ data }) => String(data.userId),
  },
  actions: customerActions,
  bulk: customerBulk,
  open: 'open',
  empty: 'list.none',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
})

const Blacklist = listBody({
  endpoint: listBlacklist,
  rowId: 'blackId',
  texts: CUSTOMER_TEXTS,
  menu: MENU,
  id: `${MENU}:blacklist`,
  label: 'listTab.blacklist',
  columns: ({ filters }) =>
    BLACKLIST_COLUMNS[filters(BLACKLIST_FILTERS).ended === 'true' ? 'ended' : 'all'],
  filters: { kinds: BLACKLIST_FILTERS, fields: ({ t }) => blacklistFields(t) },
  refreshOn: REFRESH,
  actions: entryActions,
  bulk: ({ filters }) => (filters(BLACKLIST_FILTERS).ended === 'true' ? [] : entryBulk),
  open: 'open',
  empty: 'list.noEntries',
})

export const Screen = tabbedScreen({
  texts: CUSTOMER_TEXTS,
  menu: MENU,
  title: 'listTab',
  tabs: { customers: Customers, blacklist: Blacklist },
})
