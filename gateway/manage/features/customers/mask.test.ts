import { expect, test } from 'vitest'
import {
  maskAadhaar,
  maskAccount,
  maskAddress,
  maskAddressText,
  maskEmail,
  maskPan,
  maskPhone,
} from './mask.ts'

test('personal values have their masked forms', () => {
  expect(maskPhone('3210')).toBe('XXXXXX3210')
  expect(maskAadhaar('1234')).toBe('XXXX XXXX 1234')
  expect(maskAccount('6789')).toBe('XXXXXX6789')
  expect(maskPan('ABCPK1234F')).toBe('AB******4F')
  expect(maskEmail('rahul.k@mailbox.example')).toBe('r***@mailbox.example')
  expect(maskAddress('Pune', '411001')).toBe('Pune 411001')
})

test('a malformed value is masked completely', () => {
  expect(maskPan('AB12')).toBe('****')
  expect(maskEmail('nobody')).toBe('***')
  expect(maskAddress(null, null)).toBeNull()
})

test.each([
  ['12 MG Road, Shivaji Nagar, Pune, Maharashtra 411001', 'Pune 411001'],
  ['480, Lake View Road, Bengaluru 560001', 'Bengaluru 560001'],
  ['S/O Mohan, 2 Station Road, Nagpur, Maharashtra, India - 440001', 'Nagpur 440001'],
  ['Aadhaar 234567890123, House 4, Indore 452001', 'Indore 452001'],
  ['nothing to be found 123', 'nothing to be found'],
])('of the address %s only city and PIN code are kept', (address, shown) => {
  expect(maskAddressText(address)).toBe(shown)
})
