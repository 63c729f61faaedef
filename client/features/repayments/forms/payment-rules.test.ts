import { expect, test } from 'vitest'
import {
  bookRefusal,
  confirmRefusal,
  decideRefusal,
  failRefusal,
  reduceRefusal,
} from './payment-rules.ts'

const booked = { payState: 'inProgress', flag: null, operatorId: 'U1', utr: '123456789012' }

test('somebody else answers a payment in progress', () => {
  expect([confirmRefusal(booked, 'U2'), failRefusal(booked, 'U2')]).toEqual([null, null])
  expect([confirmRefusal(booked, 'U1'), failRefusal(booked, 'U1')]).toEqual([
    'repayments:refused.own',
    'repayments:refused.own',
  ])
  expect(confirmRefusal({ ...booked, payState: 'success' }, 'U2')).toBe(
    'repayments:refused.answered',
  )
})

test('money without an order, or without a UTR, can only be refused', () => {
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

test('a running order and a claim that was kept take payments, one at a time', () => {
  for (const status of [30, 50, 90, 110]) expect(bookRefusal(status)).toBeNull()
  expect(bookRefusal(43)).toBe('repayments:refused.processing')
  for (const status of [10, 29, 40, 41, 70, 80, 100])
    expect(bookRefusal(status)).toBe('repayments:refused.nothingDue')
})

test('only an overdue order that waits for no payment has something to give up', () => {
  expect([50, 90, 43, 30, 41].map(reduceRefusal)).toEqual([
    null,
    null,
    'repayments:refused.processing',
    'repayments:refused.notOverdue',
    'repayments:refused.nothingDue',
  ])
})

test('a reduction is decided by somebody above who launched it', () => {
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
