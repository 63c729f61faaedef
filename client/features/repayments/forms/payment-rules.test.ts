import { expect, test } from 'vitest'
import { bookRefusal, confirmRefusal, failRefusal } from './payment-rules.ts'

const booked = { payState: 'inProgress', flag: null, operatorId: 'U1', utr: '123456789012' }

test('somebody else answers a payment in progress', () => {
  expect([confirmRefusal(booked, 'U2'), failRefusal(booked, 'U2')]).toEqual([null, null])
  expect([confirmRefusal(booked, 'U1'), failRefusal(booked, 'U1')]).toEqual(['repayments:refused.own', 'repayments:refused.own'])
  expect(confirmRefusal({ ...booked, payState: 'success' }, 'U2')).toBe('repayments:refused.answered')
})

test('money without an order, or without a UTR, can only be refused', () => {
  for (const [more, why] of [[{ flag: 'unknownOrder' }, 'parked'], [{ flag: 'notPayable' }, 'parked'], [{ utr: null }, 'noUtr']] as const) {
    expect(confirmRefusal({ ...booked, operatorId: null, ...more }, 'U2')).toBe(`repayments:refused.${why}`)
    expect(failRefusal({ ...booked, operatorId: null }, 'U2')).toBeNull()
  }
})

test('a running order and a claim that was kept take payments, one at a time', () => {
  for (const status of [30, 50, 90, 110]) expect(bookRefusal(status)).toBeNull()
  expect(bookRefusal(43)).toBe('repayments:refused.processing')
  for (const status of [10, 29, 40, 41, 70, 80, 100]) expect(bookRefusal(status)).toBe('repayments:refused.nothingDue')
})
