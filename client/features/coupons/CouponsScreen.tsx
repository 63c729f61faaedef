/** Coupons, and what customers were given of them. */
import { useRowLinks } from '#client/features/orders/public.tsx'
import { filtersOf, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import { couponOptions, listCoupons, listGrants } from '#shared/coupons/coupons-api.ts'
import {
  COUPON_STATES,
  COUPON_TYPES,
  GRANT_SOURCES,
  PREFERENTIAL_TYPES,
} from '#shared/coupons/coupon-sets.ts'
import { COUPON_CHANGED, COUPON_GRANTED, COUPONS_GRANTED } from '#shared/coupons/coupons-live.ts'
import { GRANT_STATES } from '#shared/coupons/grant-lifecycle.ts'
import { addAction, couponActions, revokeBulk, revokeRow, switchBulk } from './coupon-actions.tsx'
import { COUPON_COLUMNS, GRANT_COLUMNS } from './coupon-columns.ts'
import { applyGrantEvents, GRANT_EVENTS } from './grant-apply.ts'

const CouponList = listBody({
  endpoint: listCoupons,
  rowId: 'couponId',
  texts: ['coupons', 'announcements'],
  label: 'tab.coupons',
  columns: ({ isWide }) => COUPON_COLUMNS[isWide ? 'wide' : 'narrow'],
  filters: filtersOf({
    couponId: { kind: 'text', label: 'col.couponId', place: 'quick' },
    name: { kind: 'text', label: 'col.name', place: 'bar', placeholder: 'col.name' },
    type: { kind: 'one', label: 'col.type', place: 'bar', options: wordsOf('type', COUPON_TYPES) },
    preferentialType: {
      kind: 'one',
      label: 'col.preferentialType',
      options: wordsOf('preferential', PREFERENTIAL_TYPES),
    },
    state: {
      kind: 'one',
      label: 'col.state',
      place: 'bar',
      options: wordsOf('state', COUPON_STATES),
    },
    creator: { kind: 'text', label: 'col.creator' },
    createTime: { kind: 'day', label: 'col.createTime' },
  }),
  sort: 'createTime:desc',
  reads: [reads(couponOptions, {})],
  refreshOn: [COUPON_CHANGED.type, COUPON_GRANTED.type, COUPONS_GRANTED.type],
  create: addAction,
  actions: couponActions,
  bulk: switchBulk,
  open: 'grants',
  empty: 'none',
})

const GRANT_FILTERS = filtersOf({
  userId: { kind: 'text', label: 'col.userId', place: 'quick' },
  couponId: { kind: 'text', label: 'col.couponId', place: 'bar', placeholder: 'col.couponId' },
  orderId: { kind: 'text', label: 'col.orderId', place: 'bar', placeholder: 'col.orderId' },
  state: {
    kind: 'one',
    label: 'col.state',
    place: 'bar',
    options: wordsOf('grantState', GRANT_STATES),
  },
  source: { kind: 'one', label: 'col.source', options: wordsOf('source', GRANT_SOURCES) },
  grantTime: { kind: 'day', label: 'col.grantTime' },
})
/** Filters an event carries a value for. */
const KNOWN = { state: 'one', couponId: 'text', userId: 'text', orderId: 'text' } as const

const GrantList = listBody({
  endpoint: listGrants,
  rowId: 'grantId',
  texts: ['coupons'],
  id: 'coupon_grants',
  label: 'tab.grants',
  columns: GRANT_COLUMNS,
  useColumns: useRowLinks,
  filters: GRANT_FILTERS,
  sort: 'grantTime:desc',
  live: ({ t, filters }) => ({
    events: GRANT_EVENTS,
    apply: (rows, events) => applyGrantEvents(rows, events, filters(KNOWN), t('left')),
    // a node grants thousands at once, without an event for each
    refreshOn: [COUPONS_GRANTED.type],
  }),
  actions: revokeRow,
  bulk: revokeBulk,
  empty: 'noGrants',
})

export const Screen = tabbedScreen({
  texts: ['coupons'],
  menu: 'coupon_list',
  title: 'tab',
  tabs: { coupons: CouponList, grants: GrantList },
})
