import { expect, test } from 'vitest'
import { caseEvent as event } from '#tests/factories/case-event.ts'
import { concernsCase, namesCase, newsOf } from './case-news.ts'
import type { CaseDetail } from './case-types.ts'

const detail = {
  order: { orderId: 'L1' },
  customer: { userId: 'C1' },
  busyLine: null,
} as CaseDetail

test('a recall is announced only to those who have that case open', () => {
  const recalled = event('cases.recalled', { reason: 'leave', caseIds: ['CA1', 'CA2'] })
  expect(newsOf(recalled, 'U1')).toEqual({ kind: 'takenBack', reason: 'leave' })
  expect([namesCase(recalled, 'CA1'), namesCase(recalled, 'CA3')]).toEqual([true, false])
})

test.each([
  ['case.recalled', { caseId: 'CA2', reason: 'leave' }],
  ['case.followed', { caseId: 'CA2' }],
  ['case.stop.changed', { caseIds: ['CA2'], userId: 'C2' }],
])('%s of another case does not concern a case that is being read', (type, data) => {
  expect(namesCase(event(type, data), 'CA1')).toBe(false)
  expect(concernsCase(event(type, data), 'CA1', undefined)).toBe(false)
})

test('an event of the order or of the customer concerns the case, also while it is being read', () => {
  const [own, other] = [
    event('plan.changed', { orderId: 'L1' }),
    event('plan.changed', { orderId: 'L2' }),
  ]
  expect([own, other].map((one) => concernsCase(one, 'CA1', detail))).toEqual([true, false])
  expect(concernsCase(own, 'CA1', undefined)).toBe(true)
  const changed = (userId: string) => event('customer.changed', { userId })
  expect(['C1', 'C2'].map((id) => concernsCase(changed(id), 'CA1', detail))).toEqual([true, false])
  expect(concernsCase(changed('C1'), 'CA1', undefined)).toBe(true)
})

test('a contact with another case concerns this one while the line is busy', () => {
  const followed = event('case.followed', { caseId: 'CA2' })
  const busy = { ...detail, busyLine: { number: '98', n: 3, freeTime: '' } } as CaseDetail
  expect([detail, busy].map((one) => concernsCase(followed, 'CA1', one))).toEqual([false, true])
})

test('of the dictionary only the holidays concern a case', () => {
  const changed = (code: string) => event('dict.changed', { typeCodes: [code] })
  expect(['holiday', 'bank'].map((code) => concernsCase(changed(code), 'CA1', detail))).toEqual([
    true,
    false,
  ])
})
