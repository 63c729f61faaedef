import { expect, test } from 'vitest'
import type { CustomerSections } from '../review-types.ts'
import { compareRows, differencesFirst } from './compare-rows.ts'

// cast below: only the sections that are compared
const customer = {
  userId: 'C1',
  basic: {
    name: 'Priya Sharma',
    birthday: '1994-02-11',
    sex: 'female',
    residentialAddress: 'Pune 411001',
  },
  kyc: {
    aadhaar: 'XXXX XXXX 1234',
    pan: 'AB******4F',
    extracted: {
      panName: 'SHARMA PRIYA',
      panNumber: 'AB******4F',
      panBirthday: '1994-02-11',
      aadhaarName: 'Priya  Sharma.',
      aadhaarNumber: 'XXXX XXXX 1234',
      aadhaarBirthday: '1994-02-12',
      aadhaarSex: 'female',
      aadhaarAddress: null,
      bankHolder: 'PRIYA S',
    },
  },
  bankCard: { holder: 'Priya Sharma' },
} as CustomerSections

test('case, order of names and punctuation are no difference; another day or holder is', () => {
  expect(compareRows(customer).map((row) => `${row.field} ${row.verdict}`)).toEqual([
    'name match',
    'pan match',
    'aadhaar match',
    'birthday differs',
    'sex match',
    'address unread',
    'holder differs',
  ])
})

test('only the differing document is marked', () => {
  const birthday = compareRows(customer).find((row) => row.field === 'birthday')
  expect(birthday?.read).toEqual([
    { source: 'pan', value: '1994-02-11', differs: false },
    { source: 'aadhaar', value: '1994-02-12', differs: true },
  ])
})

test('differences are sorted first on request', () => {
  expect(
    differencesFirst(compareRows(customer))
      .slice(0, 3)
      .map((row) => row.field),
  ).toEqual(['birthday', 'holder', 'name'])
})

test('without documents there are no rows to compare', () => {
  expect(compareRows({ ...customer, kyc: null })).toEqual([])
})

test("an account of another person is a difference, even when the typed name equals the bank's", () => {
  const foreign = {
    ...customer,
    bankCard: { ...customer.bankCard, holder: 'Arvind Rao' },
    kyc: { ...customer.kyc, extracted: { ...customer.kyc?.extracted, bankHolder: 'ARVIND RAO' } },
  } as typeof customer
  expect(compareRows(foreign).find((row) => row.field === 'holder')).toMatchObject({
    verdict: 'differs',
  })
})
