import { expect, test } from 'vitest'
import { readDutyFile } from './duty-file.ts'

test('an exported file is parsed line by line, and an empty one gives no lines', () => {
  const head =
    '\uFEFF"account","monday","tuesday","wednesday","thursday","friday","saturday","sunday"\r\n'
  expect(readDutyFile(head)).toEqual({ rows: [], faults: [] })
  expect(readDutyFile(`${head}"collector","day","day","day","day","day","off","off"\r\n`)).toEqual({
    rows: [{ account: 'collector', days: ['day', 'day', 'day', 'day', 'day', 'off', 'off'] }],
    faults: [],
  })
})

test('semicolons, quotes, a byte order mark and CRLF are accepted, and a short line is reported', () => {
  expect(
    readDutyFile(
      '\uFEFFaccount;mo;tu;we;th;fr;sa;su\r\n"asha";day;day;day;day;day;off;off\r\n\r\nbroken;day\r\n',
    ),
  ).toEqual({
    rows: [{ account: 'asha', days: ['day', 'day', 'day', 'day', 'day', 'off', 'off'] }],
    faults: [{ row: 4, column: 'account', messageKey: 'columns' }],
  })
})
