/** Loans from disbursement onward, and their payout attempts. */
import '../orders.css'
import { reads } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import {
  listLoans,
  listTransfers,
  LOAN_STATUSES,
  payoutVendors,
} from '#shared/orders/disbursement-api.ts'
import { orderOptions } from '#shared/orders/orders-api.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { openOrderAction, revealPhoneAction } from '../list/order-actions.tsx'
import { orderRules } from '../list/order-live.ts'
import { useRowLinks } from '../order-links.ts'
import { LOAN_COLUMNS, type LoanRow, TRANSFER_COLUMNS } from './loan-columns.ts'
import {
  LOAN_FILTERS,
  loanFields,
  loanInput,
  TRANSFER_FILTERS,
  transferFields,
  transferInput,
} from './loan-filters.ts'
import { transferActions } from './transfer-actions.tsx'

const MENU = 'loan_list'
const PAYOUT = [PAYOUT_CHANGED.type]
const LOAN_CODES = LOAN_STATUSES.map(String)

const Loans = listBody({
  endpoint: listLoans,
  rowId: 'orderId',
  texts: ['orders'],
  menu: MENU,
  id: `${MENU}:loans`,
  label: 'loan.tab.loans',
  columns: ({ isWide }) => LOAN_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: {
    kinds: LOAN_FILTERS,
    fields: ({ t, read }) => loanFields(t, read(orderOptions), read(payoutVendors)),
  },
  sort: 'createTime:desc',
  input: loanInput,
  reads: [reads(orderOptions, {}), reads(payoutVendors, {})],
  live(context) {
    const { vendorCode, disburseTime, status, ...filters } = context.filters(LOAN_FILTERS)
    return orderRules(context, {
      filters: { ...filters, status: status?.length ? status : LOAN_CODES },
      narrowed: vendorCode !== undefined || disburseTime !== undefined,
      also: PAYOUT,
    })
  },
  actions: [openOrderAction<LoanRow>(MENU), revealPhoneAction],
  open: 'open',
  empty: 'loan.noLoans',
})

const Transfers = listBody({
  endpoint: listTransfers,
  rowId: 'transferId',
  texts: ['orders', 'transfers'],
  menu: MENU,
  id: `${MENU}:transfers`,
  label: 'loan.tab.transfers',
  columns: ({ isWide }) => TRANSFER_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: {
    kinds: TRANSFER_FILTERS,
    fields: ({ t, read }) => transferFields(t, read(payoutVendors)),
  },
  sort: 'createTime:desc',
  input: transferInput,
  reads: [reads(payoutVendors, {})],
  refreshOn: PAYOUT,
  actions: transferActions,
  open: 'open',
  empty: 'loan.noTransfers',
})

export const Screen = tabbedScreen({
  texts: ['orders'],
  menu: MENU,
  title: 'loan.tab',
  tabs: { loans: Loans, transfers: Transfers },
})
