import { expect, test } from 'vitest'
import customers from '#locales/en/customers.json'
import orders from '#locales/en/orders.json'
import review from '#locales/en/review.json'
import {
  BLACKLIST_SOURCES,
  CREDIT_STATES,
  CUSTOMER_CLASSES,
  MESSAGE_STATES,
  MESSAGE_TEMPLATES,
  TIMELINE_KINDS,
} from '#shared/customers/customer-sets.ts'
import { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { NUMBER_FILTERS } from './list/customer-filters.ts'

// the compiler does not check keys that are built from codes
test.each([
  ['credit', CREDIT_STATES, customers.credit],
  ['source', BLACKLIST_SOURCES, customers.source],
  ['step', TIMELINE_KINDS, customers.step],
  ['message', MESSAGE_TEMPLATES, customers.message],
  ['messageState', MESSAGE_STATES, customers.messageState],
  ['fault.filter', Object.keys(NUMBER_FILTERS), customers.fault.filter],
  ['class', CUSTOMER_CLASSES, orders.customer.classes],
  ['photo', PHOTO_KINDS, review.photo],
] as const)('each %s has a label', (_, codes, words) => {
  expect(codes.filter((code) => !(code in words))).toEqual([])
})
