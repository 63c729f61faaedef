import { expect, test } from 'vitest'
import type { CaseDetail } from './case-types.ts'
import { lastContactOf } from './last-contact.ts'

const key = (text: string): string => text
const follow = {
  contactResult: 3,
  createTime: '2026-11-29T05:00:00.000Z',
  operatorName: 'Asha',
} as CaseDetail['follows'][number]
const robot = { time: '2026-11-29T06:00:00.000Z', way: 'phone', byRobot: true, by: null } as const

test('a recorded contact is shown by its result, also when its call began before', () => {
  const call = { ...robot, time: '2026-11-29T04:58:00.000Z', byRobot: false, by: 'Asha' }
  const shown = { what: 'contactResult.3', time: follow.createTime, by: 'Asha' }
  expect(lastContactOf({ follows: [follow], lastAttempt: call }, key)).toEqual(shown)
  expect(lastContactOf({ follows: [follow], lastAttempt: null }, key)).toEqual(shown)
})

test('an attempt without a result after it is shown instead', () => {
  const shown = { what: 'desk.robotCalled', time: robot.time, by: null }
  expect(lastContactOf({ follows: [follow], lastAttempt: robot }, key)).toEqual(shown)
  expect(lastContactOf({ follows: [], lastAttempt: robot }, key)).toEqual(shown)
  const link = { ...robot, way: 'sms' as const, byRobot: false, by: 'Asha' }
  expect(lastContactOf({ follows: [], lastAttempt: link }, key)?.what).toBe('contactWay.sms')
})

test('a case that nobody tried to contact has none', () => {
  expect(lastContactOf({ follows: [], lastAttempt: null }, key)).toBeNull()
})
