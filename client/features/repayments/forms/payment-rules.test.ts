import { expect, test } from 'vitest'
import {
  bookRefusal,
  confirmRefusal,
  decideRefusal,
  failRefusal,
  reduceRefusal,
} from './payment-rules.ts'

const booked = { payState: 'inProgress', flag: null, operatorId: 'U1', utr: '123456789012' }

test('a payment in progress is confirmed or failed by another person', () => {
  expect([confirmRefusal(booked, 'U2'), failRefusal(booked, 'U2')]).toEqual([null, null])
  expect([confirmRefusal(booked, 'U1'), failRefusal(booked, 'U1')]).toEqual([
    'repayments:refused.own',
    'repayments:refused.own',
  ])
  expect(confirmRefusal({ ...booked, payState: 'success' }, 'U2')).toBe(
    'repayments:refused.answered',
  )
})

test('a payment without an order or a UTR can only be failed', () => {
  for (const [more, why] of [
    [{ flag: 'unknownOrder' }, 'parked'],
    [{ flag: 'notPayable' }, 'parked'],
    [{ utr: null }, 'noUtr'],
  ] as const) {
    expect(confirmRefusal({ ...booked, operatorId: null, ...more }, 'U2')).toBe(
      `repayments:refused.${why}`,
    )
    expect(failRefusal({ ...booked, operatorId: null }, 'U2')).toBeNull()
  }
})

test('a running order and a claim kept after a write-off accept payments, one at a time', () => {
  for (const status of [30, 50, 90, 110]) expect(bookRefusal(status)).toBeNull()
  expect(bookRefusal(43)).toBe('repayments:refused.processing')
  for (const status of [10, 29, 40, 41, 70, 80, 100])
    expect(bookRefusal(status)).toBe('repayments:refused.nothingDue')
})

test('only an overdue order without a payment in progress can get a reduction', () => {
  expect([50, 90, 43, 30, 41].map(reduceRefusal)).toEqual([
    null,
    null,
    'repayments:refused.processing',
    'repayments:refused.notOverdue',
    'repayments:refused.nothingDue',
  ])
})

test('a reduction is decided by a role above the role that launched it', () => {
  const asked = { state: 'pending' as const, launchById: 'U1', launchRole: 'team_leader' }
  const by = (userId: string, role: string) => decideRefusal(asked, { userId, roles: [role] })
  expect([
    by('U1', 'manager'),
    by('U2', 'team_leader'),
    by('U2', 'internal_supervisor'),
    by('U2', 'manager'),
  ]).toEqual(['repayments:refused.ownReduction', 'repayments:refused.level', null, null])
  expect(decideRefusal({ ...asked, state: 'used' }, { userId: 'U2', roles: ['manager'] })).toBe(
    'repayments:refused.decided',
  )
})
