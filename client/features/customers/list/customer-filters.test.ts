import { expect, test } from 'vitest'
import { listInput } from '#client/screen/list/list-input.ts'
import { listBlacklist } from '#shared/customers/customer-list-api.ts'
import { customerInput } from './customer-filters.ts'

test.each([
  [{ phone: '+91 98765-43210' }, { phone: '9876543210' }],
  [{ pan: 'abcpk 1234f' }, { pan: 'ABCPK1234F' }],
  [{ account: '6010 0000 061' }, { account: '60100000061' }],
  [{ aadhaarLast4: '0611' }, { aadhaarLast4: '0611' }],
])('separators are removed from numbers: %j', (numbers, input) => {
  expect(customerInput({ pageNum: 1, pageSize: 50, ...numbers })).toEqual({
    input: { pageNum: 1, pageSize: 50, ...input },
    fault: null,
  })
})

test.each([
  [{ phone: '98765' }, 'phone'],
  [{ pan: 'ABC' }, 'pan'],
  [{ account: '12' }, 'account'],
  [{ aadhaarLast4: '12345' }, 'aadhaarLast4'],
] as const)('a number that cannot match is reported: %j', (numbers, fault) => {
  expect(customerInput(numbers).fault).toBe(fault)
})

test('days become IST instants, yes and no become booleans', () => {
  expect(
    customerInput({
      certified: 'true',
      blacklisted: 'false',
      registerTimeFrom: '2026-03-01',
      registerTimeTo: '2026-03-01',
    }).input,
  ).toEqual({
    certified: true,
    blacklisted: false,
    registerTimeFrom: '2026-02-28T18:30:00.000Z',
    registerTimeTo: '2026-03-01T18:29:59.999Z',
  })
  expect(listInput(listBlacklist, { ended: 'true', userId: "a' or 1" })).toEqual({
    ended: true,
    userId: "a' or 1",
  })
})
