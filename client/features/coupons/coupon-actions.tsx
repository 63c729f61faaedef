/** What can be done with coupons and with what was granted. */
import { lazyPart } from '#client/base/load-part.ts'
import { announceAction } from '#client/features/announcements/public.tsx'
import { bulkAction, forRow, linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import {
  addCoupon,
  editCoupon,
  previewGrant,
  revokeGrants,
  setCouponStatus,
} from '#shared/coupons/coupons-api.ts'
import { COUPON_STATES, type CouponState } from '#shared/coupons/coupon-sets.ts'
import { grantLifecycle } from '#shared/coupons/grant-lifecycle.ts'
import type { Coupon, Grant } from './coupon-types.ts'
import { valueText } from './coupon-words.ts'

// load the form library, which the list itself does not need
const CouponForm = lazyPart(() =>
  import('./CouponForm.tsx').then((m) => ({ default: m.CouponForm })),
)
const GrantListForm = lazyPart(() =>
  import('./GrantListForm.tsx').then((m) => ({ default: m.GrantListForm })),
)

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addCoupon,
  text: 'add',
  panel: (_, { done, close }) => <CouponForm coupon={null} onDone={done} onClose={close} />,
})

const editAction = panelAction<Coupon>({
  id: 'edit',
  endpoint: editCoupon,
  text: 'edit',
  icon: 'edit',
  panel: (coupon, { done, close }) => <CouponForm coupon={coupon} onDone={done} onClose={close} />,
})

/** Customers by their ids, pasted or from a sheet. */
export const grantListAction = panelAction<Coupon>({
  id: 'grant',
  endpoint: previewGrant,
  text: 'grant',
  icon: 'send-to',
  intent: 'primary',
  disabledReason: ({ state }, { t }) => (state === 'enabled' ? null : t('isOff')),
  panel: (coupon, { done, close }) => (
    <GrantListForm coupon={coupon} onDone={done} onClose={close} />
  ),
})

const grantsAction = linkAction<Coupon>({
  id: 'grants',
  text: 'tab.grants',
  icon: 'people',
  path: ({ couponId }) => `/loaned_management/coupon_list?tab=grants&couponId=${couponId}`,
})

/** To everybody: customers ask all of them about it. */
const announceCoupon = announceAction<Coupon>((coupon, { t }) => ({
  title: t('announce.title', { name: coupon.name }),
  content: t('announce.content', {
    kind: t(`preferential.${coupon.preferentialType}`),
    value: valueText(coupon, t),
    days: coupon.validDays,
  }),
  roles: [],
}))

const switchTo = (state: CouponState) =>
  bulkAction<typeof setCouponStatus, Coupon>(setCouponStatus, {
    id: state,
    text: state === 'enabled' ? 'on' : 'off',
    confirm: (_, { t }) => ({
      title: t(`ask.${state}`),
      intent: state === 'enabled' ? 'primary' : 'warning',
      body: <p>{t(state === 'enabled' ? 'onMeans' : 'offMeans')}</p>,
    }),
    input: (couponIds) => ({ couponIds, state }),
  })

export const switchBulk = COUPON_STATES.map(switchTo)

export const couponActions = [
  grantsAction,
  grantListAction,
  announceCoupon,
  editAction,
  ...COUPON_STATES.map((state) =>
    forRow(switchTo(state), {
      icon: state === 'enabled' ? 'play' : 'disable',
      separated: true,
      when: (coupon) => coupon.state !== state,
    }),
  ),
]

const revokeMany = bulkAction<typeof revokeGrants, Grant>(revokeGrants, {
  id: 'revoke',
  text: 'revoke',
  icon: 'undo',
  intent: 'danger',
  variant: 'outlined',
  confirm: (_, { t }) => ({
    title: t('askRevoke'),
    intent: 'danger',
    reason: { min: 4, max: 200 },
    body: <p>{t('revokeMeans')}</p>,
  }),
  input: (grantIds, _, reason) => ({ grantIds, reason }),
})

export const revokeBulk = [revokeMany]
export const revokeRow = [
  forRow(revokeMany, {
    disabledReason: ({ state }, { t }) =>
      grantLifecycle.can(state, { type: 'REVOKE', reason: 'asked' }) ? null : t('notUnused'),
  }),
]
