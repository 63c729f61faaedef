import { expect, test } from 'vitest'
import { readDutyFile, TEMPLATE } from './duty-file.ts'

test('the template reads as one line', () => {
  expect(readDutyFile(TEMPLATE)).toEqual({ rows: [{ account: 'collector', days: ['day', 'day', 'day', 'day', 'day', 'off', 'off'] }], faults: [] })
})

test('semicolons, quotes, a byte order mark and Windows line ends are read; a short line is named', () => {
  expect(readDutyFile('\uFEFFaccount;mo;tu;we;th;fr;sa;su\r\n"asha";day;day;day;day;day;off;off\r\n\r\nbroken;day\r\n')).toEqual({
    rows: [{ account: 'asha', days: ['day', 'day', 'day', 'day', 'day', 'off', 'off'] }],
    faults: [{ row: 4, column: 'account', messageKey: 'columns' }],
  })
})
