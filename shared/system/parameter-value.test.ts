import { expect, test } from 'vitest'
import { fitsParameter, type ParameterType } from './parameter-value.ts'

const MONEY_KINDS =
  'reversePayment,cure,redisburse,transferPaid,transferNotPaid,paymentStands,batchWriteOff'

test.each<[ParameterType, string, string | null, boolean]>([
  ['int', '30', null, true],
  ['int', '-1', null, true],
  ['int', '1.5', null, false],
  ['int', '', null, false],
  ['decimal', '1.5', null, true],
  ['bool', 'true', null, true],
  ['bool', 'yes', null, false],
  ['time', '23:59', null, true],
  ['time', '24:00', null, false],
  ['json', '{"a":1}', null, true],
  ['json', '{', null, false],
  ['text', '', null, true],
  // built-in parameters: no value may lock everybody out or allow calls at night
  ['int', '0', 'session.idleMinutes', false],
  ['int', '1', 'session.idleMinutes', true],
  ['int', '-1', 'payout.checkAbove', false],
  ['int', '0', 'payout.checkAbove', true],
  ['text', '', 'country', false],
  // role changes may need approval, money always does
  ['text', `${MONEY_KINDS},export,roleEdit`, 'approval.kinds', true],
  ['text', 'roleEdit', 'approval.kinds', false],
  ['text', `${MONEY_KINDS},export,pay`, 'approval.kinds', false],
  ['time', '07:00', 'collection.callFrom', false],
  ['time', '19:30', 'collection.callTo', false],
  ['time', '18:00', 'collection.callTo', true],
])('%s takes %j of %s: %s', (type, value, code, fits) =>
  expect(fitsParameter(type, value, code)).toBe(fits),
)
