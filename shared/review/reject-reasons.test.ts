import { expect, test } from 'vitest'
import {
  isQualityFailCode,
  isQualityPassCode,
  isRejectCode,
  needsRemark,
  QUALITY_CODES,
  QUALITY_FAIL_CODES,
  QUALITY_PAIRS,
  QUALITY_PASS_CODES,
  qualityClassOf,
  REJECT_CODES,
  rejectKindOf,
} from './reject-reasons.ts'

/** `A01` … `A08` and so on. */
function codes(letter: string, middle: string, last: number): string[] {
  return Array.from({ length: last }, (_, i) => `${letter}${middle}${i + 1}`)
}

test('the reject reasons are A01-A08, B01-B07, C01-C06 and Z01', () => {
  expect(REJECT_CODES).toEqual([
    ...codes('A', '0', 8),
    ...codes('B', '0', 7),
    ...codes('C', '0', 6),
    'Z01',
  ])
})

test('the quality codes are the complete fixed set', () => {
  expect(QUALITY_FAIL_CODES).toEqual([
    ...codes('A', '00', 8),
    ...codes('B', '00', 7),
    ...codes('C', '00', 6),
    'E001',
  ])
  expect(QUALITY_PASS_CODES).toEqual([
    ...codes('A', '10', 8),
    ...codes('B', '10', 7),
    ...codes('C', '10', 6),
  ])
  expect(QUALITY_CODES).toHaveLength(QUALITY_FAIL_CODES.length + QUALITY_PASS_CODES.length)
})

test('every reject reason except Z01 has a pair of quality codes', () => {
  expect(Object.keys(QUALITY_PAIRS)).toEqual(REJECT_CODES.filter((code) => code !== 'Z01'))
  expect(QUALITY_PAIRS.A01).toEqual({ fail: 'A001', pass: 'A101' })
})

test('a code belongs to only one set', () => {
  for (const code of QUALITY_FAIL_CODES)
    expect([isQualityFailCode(code), isQualityPassCode(code), isRejectCode(code)]).toEqual([
      true,
      false,
      false,
    ])
  for (const code of QUALITY_PASS_CODES)
    expect([isQualityFailCode(code), isQualityPassCode(code), isRejectCode(code)]).toEqual([
      false,
      true,
      false,
    ])
  for (const code of REJECT_CODES)
    expect([isQualityFailCode(code), isQualityPassCode(code), isRejectCode(code)]).toEqual([
      false,
      false,
      true,
    ])
  for (const other of ['A09', 'a01', 'B008', 'Z001', '', null, undefined])
    expect([isQualityFailCode(other), isQualityPassCode(other), isRejectCode(other)]).toEqual([
      false,
      false,
      false,
    ])
})

test('the first letter of a code is its kind', () => {
  expect([...new Set(REJECT_CODES.map(rejectKindOf))]).toEqual(['A', 'B', 'C', 'Z'])
})

test('the class of a fail follows from the checked decision', () => {
  expect(qualityClassOf('A001', 'failed')).toBe('wrongRejection')
  expect(qualityClassOf('C006', 'passed')).toBe('wrongPass')
  expect(qualityClassOf('E001', 'failed')).toBe('other')
  expect(qualityClassOf('E001', 'passed')).toBe('other')
})

test('only the codes for "other" need a remark', () => {
  expect([...REJECT_CODES, ...QUALITY_CODES].filter(needsRemark)).toEqual(['Z01', 'E001'])
})
