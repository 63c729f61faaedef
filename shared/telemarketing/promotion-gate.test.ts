import { expect, test } from 'vitest'
import { promotionGate, type PromotionFacts } from './promotion-gate.ts'

const FREE: PromotionFacts = {
  callFrom: '10:00',
  callTo: '21:00',
  noContact: [],
  dnd: false,
  blacklisted: false,
  stopped: false,
  callsToday: 0,
  callsWeek: 0,
  perDay: 1,
  perWeek: 3,
  lineUsed: 0,
  lineCap: 300,
  busyLine: null,
}
/** A Wednesday, IST. */
const at = (clock: string) => new Date(`2026-11-25T${clock}+05:30`).toISOString()

function refusal(facts: Partial<PromotionFacts>, clock = '12:00:00') {
  const found = promotionGate({ ...FREE, ...facts }, at(clock))
  return found === null ? null : [found.problem.id, found.openTime]
}

test('a call is refused at 09:59 and taken at 10:00', () => {
  expect(refusal({}, '09:59:59')).toEqual(['C-WIN', at('10:00:00')])
  expect(refusal({}, '10:00:00')).toBeNull()
})

test('a call is taken at 20:59 and refused at 21:00 until the next morning', () => {
  expect(refusal({}, '20:59:59')).toBeNull()
  expect(refusal({}, '21:00:00')).toEqual(['C-WIN', '2026-11-26T04:30:00.000Z'])
})

test('parameters narrow the legal hours and cannot widen them', () => {
  expect(refusal({ callFrom: '08:00', callTo: '23:00' }, '09:30:00')?.[0]).toBe('C-WIN')
  expect(refusal({ callFrom: '11:00' }, '10:30:00')).toEqual(['C-WIN', at('11:00:00')])
})

test('customers who are blacklisted, opted out, have a grievance or no number are not called', () => {
  expect(refusal({ blacklisted: true })).toEqual(['M-BLACK', null])
  expect(refusal({ dnd: true })).toEqual(['M-DND', null])
  expect(refusal({ stopped: true })).toEqual(['C-HELD', null])
  expect(refusal({ lineUsed: null })).toEqual(['M-LINE', null])
})

test("a customer's own do-not-contact times are respected", () => {
  const noContact = [{ days: [3], from: '11:00', to: '15:00' }]
  expect(refusal({ noContact })).toEqual(['C-ASKED', at('15:00:00')])
})

test('the limits of the customer and of the line are respected', () => {
  expect(refusal({ callsToday: 1 })).toEqual(['M-LIM', '2026-11-26T04:30:00.000Z'])
  expect(refusal({ callsWeek: 3 })).toEqual(['M-LIM', null])
  expect(refusal({ lineUsed: 300 })).toEqual(['C-LINE', '2026-11-26T04:30:00.000Z'])
  const busyLine = { number: '140', n: 1, freeTime: at('12:05:00') }
  expect(refusal({ busyLine })).toEqual(['C-LINEB', at('12:05:00')])
  expect(refusal({ busyLine }, '12:05:00')).toBeNull()
})

test('a message by WhatsApp needs no promotional line, and the same hours and consent', () => {
  const byWhatsapp = (facts: Partial<PromotionFacts>, clock = '12:00:00') =>
    promotionGate({ ...FREE, ...facts }, at(clock), 'whatsapp')?.problem.id ?? null
  expect(byWhatsapp({ lineUsed: null })).toBeNull()
  expect(byWhatsapp({ lineUsed: 300 })).toBeNull()
  expect(byWhatsapp({}, '09:59:59')).toBe('C-WIN')
  expect(byWhatsapp({ dnd: true })).toBe('M-DND')
  expect(byWhatsapp({ callsToday: 1 })).toBe('M-LIM')
})
