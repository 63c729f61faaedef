/** Columns of customers and of the blacklist. Constants: the grid compares columns by identity. */
import type { CellTools, GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  maskedColumn,
  moneyColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { shown } from '#client/ui/grid/shown-columns.ts'
import type { BlacklistRow, CustomerRow } from '#shared/customers/customer-list-api.ts'
import { creditTone, customerPath, sourceTone } from '../customer-words.ts'

const title = (name: string) => `customers:col.${name}`
const yesNo = (value: string | number, { t }: CellTools) => t(value === 'true' ? 'ui:yes' : 'ui:no')

const CUSTOMER: readonly GridColumn<CustomerRow>[] = [
  idColumn<CustomerRow>({
    id: 'userId',
    title: title('userId'),
    width: 118,
    sort: 'userId',
    pin: 'left',
    href: (row) => customerPath(row.userId),
  }),
  textColumn<CustomerRow>({ id: 'name', title: title('name'), width: 150 }),
  textColumn<CustomerRow>({ id: 'panName', title: title('panName'), width: 160 }),
  maskedColumn<CustomerRow>({ id: 'phone', title: title('phone'), width: 116 }),
  wordColumn<CustomerRow>({
    id: 'customerClass',
    title: title('customerClass'),
    width: 156,
    word: (name, { t }) => t(`orders:customer.classes.${name}`),
  }),
  statusColumn<CustomerRow>({
    id: 'certified',
    exportKind: 'yesNo',
    title: title('certified'),
    width: 104,
    value: (row) => String(row.certified),
    word: yesNo,
    tone: (value) => (value === 'true' ? 'good' : 'neutral'),
  }),
  statusColumn<CustomerRow>({
    id: 'creditState',
    title: title('creditState'),
    width: 148,
    word: (state, { t }) => t(`customers:credit.${state}`),
    tone: creditTone,
  }),
  moneyColumn<CustomerRow>({ id: 'finalLimit', title: title('finalLimit'), width: 110 }),
  integerColumn<CustomerRow>({
    id: 'entryCount',
    title: title('entryCount'),
    width: 112,
  }),
  integerColumn<CustomerRow>({ id: 'orderCount', title: title('orderCount'), width: 88 }),
  integerColumn<CustomerRow>({
    id: 'settlementCount',
    title: title('settlementCount'),
    width: 92,
  }),
  tagsColumn<CustomerRow>({ id: 'couponNames', title: title('couponNames'), width: 200 }),
  statusColumn<CustomerRow>({
    id: 'blacklisted',
    exportKind: 'yesNo',
    title: title('blacklisted'),
    width: 112,
    value: (row) => (row.blacklisted ? 'yes' : ''),
    word: (_, { t }) => t('customers:listed.yes'),
    tone: () => 'bad',
  }),
  textColumn<CustomerRow>({ id: 'channelName', title: title('channelName'), width: 130 }),
  textColumn<CustomerRow>({ id: 'appName', title: title('appName'), width: 130 }),
  timeColumn<CustomerRow>({
    id: 'registerTime',
    title: title('registerTime'),
    width: 176,
    sort: 'registerTime',
  }),
  timeColumn<CustomerRow>({
    id: 'lastActiveTime',
    title: title('lastActiveTime'),
    width: 176,
  }),
]
const CUSTOMER_NARROW = [
  'userId',
  'name',
  'phone',
  'customerClass',
  'creditState',
  'finalLimit',
  'orderCount',
  'settlementCount',
  'blacklisted',
  'registerTime',
]
const CUSTOMER_WIDE = [...CUSTOMER_NARROW, 'certified', 'lastActiveTime', 'couponNames']

const BLACKLIST: readonly GridColumn<BlacklistRow>[] = [
  textColumn<BlacklistRow>({
    id: 'blackId',
    title: title('blackId'),
    width: 112,
    sort: 'blackId',
    pin: 'left',
  }),
  idColumn<BlacklistRow>({
    id: 'userId',
    title: title('userId'),
    width: 118,
    href: (row) => customerPath(row.userId),
  }),
  textColumn<BlacklistRow>({
    id: 'userName',
    title: title('userName'),
    width: 160,
  }),
  statusColumn<BlacklistRow>({
    id: 'state',
    exportKind: 'none',
    title: title('state'),
    width: 116,
    value: (row) => (row.endTime === null ? 'yes' : 'ended'),
    word: (state, { t }) => t(`customers:listed.${state}`),
    tone: (state) => (state === 'yes' ? 'bad' : 'neutral'),
  }),
  timeColumn<BlacklistRow>({ id: 'time', title: title('time'), width: 150, sort: 'time' }),
  statusColumn<BlacklistRow>({
    id: 'source',
    title: title('source'),
    width: 172,
    word: (source, { t }) => t(`customers:source.${source}`),
    tone: sourceTone,
  }),
  textColumn<BlacklistRow>({ id: 'reason', title: title('reason'), width: 260 }),
  textColumn<BlacklistRow>({
    id: 'operatorName',
    title: title('operatorName'),
    width: 150,
    text: (row) => row.operatorName ?? '—',
  }),
  timeColumn<BlacklistRow>({ id: 'endTime', title: title('endTime'), width: 150 }),
  textColumn<BlacklistRow>({ id: 'endName', title: title('endName'), width: 150 }),
  textColumn<BlacklistRow>({ id: 'endReason', title: title('endReason'), width: 220 }),
]
const BLACKLIST_ALL = [
  'blackId',
  'userId',
  'userName',
  'state',
  'time',
  'source',
  'reason',
  'operatorName',
]

export const CUSTOMER_COLUMNS = {
  narrow: shown(CUSTOMER, CUSTOMER_NARROW),
  wide: shown(CUSTOMER, CUSTOMER_WIDE),
} as const
/** With the end fields only where every entry has them. */
export const BLACKLIST_COLUMNS = { all: shown(BLACKLIST, BLACKLIST_ALL), ended: BLACKLIST } as const
