/** What can be done with customers and with entries of the blacklist. */
import { grantAction } from '#client/features/coupons/public.tsx'
import { revealAction } from '#client/features/customers/public.tsx'
import { bulkAction, forRow, linkAction, runAction } from '#client/screen/list/list-actions.ts'
import type { ListAction } from '#client/screen/list/list-types.ts'
import {
  addToBlacklist,
  type BlacklistRow,
  type CustomerRow,
  removeFromBlacklist,
} from '#shared/customers/customer-list-api.ts'
import { blacklistQuestion, showOpenOrders } from '../blacklist-question.tsx'
import { customerPath, openCustomerWindow } from '../customer-words.ts'

const blacklistMany = bulkAction<typeof addToBlacklist, CustomerRow>(addToBlacklist, {
  id: 'blacklist',
  text: 'action.blacklist',
  icon: 'ban-circle',
  intent: 'danger',
  variant: 'outlined',
  confirm: (rows, { t }) =>
    blacklistQuestion(
      'blacklist',
      rows.map(({ name }) => name),
      t,
    ),
  input: (userIds, _, reason) => ({ userIds, reason }),
  onAnswer: ({ openOrders }, { t }) => showOpenOrders(openOrders, t),
  done: (count, { t }) => t('done.blacklisted', { count }),
})

const endMany = bulkAction<typeof removeFromBlacklist, BlacklistRow>(removeFromBlacklist, {
  id: 'end',
  text: 'action.unblacklist',
  icon: 'unlock',
  confirm: (rows, { t }) =>
    blacklistQuestion(
      'unblacklist',
      rows.map(({ userName }) => userName),
      t,
    ),
  input: (blackIds, _, reason) => ({ blackIds, reason }),
  done: (count, { t }) => t('done.ended', { count }),
})

const grantMany = grantAction<CustomerRow>(['info:coupon'], ({ userId, name }) => ({
  userId,
  name,
}))

export const customerBulk = [grantMany, blacklistMany]
export const customerActions = [
  ...openActions<CustomerRow>(),
  revealAction<CustomerRow>('action.revealPhone', ({ userId, name, phone }) => ({
    userId,
    name,
    field: { name: 'phone', value: phone },
  })),
  forRow(grantMany, {
    disabledReason: ({ blacklisted }, { t }) => (blacklisted ? t('problems:Q-BLACK') : null),
  }),
  forRow(blacklistMany, {
    separated: true,
    disabledReason: ({ blacklisted }, { t }) => (blacklisted ? t('problems:L-ON') : null),
  }),
]

export const entryBulk = [endMany]
export const entryActions = [
  ...openActions<BlacklistRow>(),
  forRow(endMany, {
    separated: true,
    disabledReason: ({ endTime }, { t }) => (endTime === null ? null : t('problems:L-END')),
  }),
]

function openActions<Row extends { userId: string }>(): readonly ListAction<Row>[] {
  return [
    linkAction<Row>({
      id: 'open',
      text: 'action.open',
      icon: 'document',
      path: ({ userId }) => customerPath(userId),
      openWindow: ({ userId }) => openCustomerWindow(userId),
    }),
    runAction<Row>({
      id: 'window',
      text: 'action.window',
      icon: 'share',
      run: ({ userId }) => openCustomerWindow(userId),
    }),
  ]
}
