/** Columns of coupons and of what was granted. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  moneyColumn,
  percentColumn,
  staffColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Coupon, Grant } from './coupon-types.ts'
import { grantTone, isNearBudget } from './coupon-words.ts'

const title = (name: string) => `coupons:col.${name}`

const COUPON = {
  couponId: idColumn<Coupon>({ id: 'couponId', title: title('couponId'), width: 104, pin: 'left' }),
  name: textColumn<Coupon>({ id: 'name', title: title('name'), width: 200, sort: 'name' }),
  state: statusColumn<Coupon>({
    id: 'state',
    title: title('state'),
    width: 92,
    word: (state, { t }) => t(`coupons:state.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
  type: wordColumn<Coupon>({
    id: 'type',
    title: title('type'),
    width: 120,
    word: (type, { t }) => t(`coupons:type.${type}`),
  }),
  preferentialType: wordColumn<Coupon>({
    id: 'preferentialType',
    title: title('preferentialType'),
    width: 118,
    word: (type, { t }) => t(`coupons:preferential.${type}`),
  }),
  amountType: wordColumn<Coupon>({
    id: 'amountType',
    title: title('amountType'),
    width: 124,
    word: (type, { t }) => t(`coupons:amountType.${type}`),
  }),
  discountAmount: moneyColumn<Coupon>({
    id: 'discountAmount',
    title: title('discountAmount'),
    width: 140,
  }),
  rate: percentColumn<Coupon>({ id: 'rate', title: title('rate'), width: 90 }),
  ratio: percentColumn<Coupon>({ id: 'ratio', title: title('ratio'), width: 116 }),
  minAmount: moneyColumn<Coupon>({
    id: 'minAmount',
    title: title('minAmount'),
    width: 142,
    sort: 'minAmount',
  }),
  validDays: integerColumn<Coupon>({
    id: 'validDays',
    title: title('validDays'),
    width: 118,
    sort: 'validDays',
  }),
  granted: integerColumn<Coupon>({
    id: 'granted',
    title: title('granted'),
    width: 92,
    sort: 'granted',
  }),
  used: integerColumn<Coupon>({ id: 'used', title: title('used'), width: 76 }),
  usedAmount: moneyColumn<Coupon>({ id: 'usedAmount', title: title('usedAmount'), width: 124 }),
  budget: moneyColumn<Coupon>({ id: 'budget', title: title('budget'), width: 122, sort: 'budget' }),
  committed: moneyColumn<Coupon>({
    id: 'committed',
    title: title('committed'),
    width: 122,
    className: (row) => (isNearBudget(row) ? 'cell-warn' : ''),
  }),
  products: textColumn<Coupon>({
    id: 'products',
    title: title('products'),
    width: 160,
    value: ({ products }) => products.map(({ name }) => name).join(', '),
  }),
  creator: staffColumn<Coupon>({ id: 'creator', title: title('creator'), width: 130 }),
  createTime: timeColumn<Coupon>({
    id: 'createTime',
    title: title('createTime'),
    width: 150,
    sort: 'createTime',
  }),
} as const

/** Where there is no room for all of them, the state of a coupon goes before its terms. */
export const COUPON_COLUMNS: Record<'narrow' | 'wide', readonly GridColumn<Coupon>[]> = {
  narrow: columnsOf(
    ...(['couponId', 'name', 'state', 'preferentialType', 'discountAmount', 'rate'] as const),
    ...(['validDays', 'granted', 'used', 'usedAmount', 'budget', 'committed'] as const),
    ...(['type', 'amountType', 'ratio', 'minAmount', 'products', 'creator', 'createTime'] as const),
  ),
  wide: columnsOf(
    ...(['couponId', 'name', 'type', 'amountType', 'preferentialType', 'discountAmount'] as const),
    ...(['rate', 'ratio', 'minAmount', 'validDays', 'state', 'granted', 'used'] as const),
    ...(['usedAmount', 'budget', 'committed', 'products', 'creator', 'createTime'] as const),
  ),
}

function columnsOf(...names: (keyof typeof COUPON)[]): GridColumn<Coupon>[] {
  return names.map((name) => COUPON[name])
}

export const GRANT_COLUMNS: readonly GridColumn<Grant>[] = [
  textColumn<Grant>({ id: 'grantId', title: title('grantId'), width: 124, pin: 'left' }),
  textColumn<Grant>({ id: 'couponName', title: title('couponName'), width: 190 }),
  idColumn<Grant>({ id: 'userId', title: title('userId'), width: 116 }),
  textColumn<Grant>({ id: 'userName', title: title('userName'), width: 160 }),
  statusColumn<Grant>({
    id: 'state',
    title: title('state'),
    width: 104,
    word: (state, { t }) => t(`coupons:grantState.${state}`),
    tone: grantTone,
  }),
  wordColumn<Grant>({
    id: 'preferentialType',
    title: title('preferentialType'),
    width: 118,
    word: (type, { t }) => t(`coupons:preferential.${type}`),
  }),
  timeColumn<Grant>({
    id: 'expireTime',
    title: title('expireTime'),
    width: 150,
    sort: 'expireTime',
  }),
  // what an unused coupon will come to is not known
  moneyColumn<Grant>({
    id: 'amount',
    title: title('amount'),
    width: 110,
    sort: 'amount',
    value: ({ state, amount }) => (state === 'used' ? amount : null),
  }),
  idColumn<Grant>({ id: 'orderId', title: title('orderId'), width: 120 }),
  textColumn<Grant>({ id: 'recordId', title: title('recordId'), width: 120 }),
  timeColumn<Grant>({ id: 'useTime', title: title('useTime'), width: 150, sort: 'useTime' }),
  wordColumn<Grant>({
    id: 'source',
    title: title('source'),
    width: 120,
    word: (source, { t }) => t(`coupons:source.${source}`),
  }),
  timeColumn<Grant>({ id: 'grantTime', title: title('grantTime'), width: 150, sort: 'grantTime' }),
  textColumn<Grant>({ id: 'grantBy', title: title('grantBy'), width: 130 }),
  textColumn<Grant>({ id: 'revokeReason', title: title('revokeReason'), width: 180 }),
]
