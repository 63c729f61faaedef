import { expect, test } from 'vitest'
import { isPartNumber, phoneIn } from './search-words.ts'

test('a phone number is accepted as people write it', () => {
  for (const text of [
    '9876501234',
    '98765 01234',
    '+91 98765-01234',
    '09876501234',
    '919876501234',
  ])
    expect(phoneIn(text)).toBe('9876501234')
  for (const text of ['987650123', '5876501234', 'Asha 9876501234', '9876501234567'])
    expect(phoneIn(text)).toBeNull()
})

test('a number between an id and a phone is told apart from one that does not exist', () => {
  expect(['987650123', '98765012345', '+91 98765 0123'].map(isPartNumber)).toEqual([
    true,
    true,
    true,
  ])
  // masked, and a UTR with a key missed
  expect(['XXXXXX3498', 'HDFCR520261126123'].map(isPartNumber)).toEqual([true, true])
  // an id, a phone, a UTR
  expect(['98765012', '9876501234', '777700001111', 'C1234'].map(isPartNumber)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
