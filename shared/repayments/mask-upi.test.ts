import { expect, test } from 'vitest'
import { maskUpi } from './mask-upi.ts'

test('a masked VPA shows two letters and the bank handle', () => {
  expect(maskUpi('rahul.k@okbank')).toBe('ra***@okbank')
  expect(maskUpi('ab@upi')).toBe('a***@upi')
  expect(maskUpi('a@upi')).toBe('***@upi')
  expect(maskUpi('-')).toBe('***')
})
