import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { CLOSE_TYPES } from '#shared/orders/close-types.ts'
import { ORDER_STATUSES, orderStatusName } from '#shared/orders/order-statuses.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { codeWord, orderStatusKey, rateText, statusTone } from './order-words.ts'

interface Texts {
  [key: string]: string | Texts
}
const read = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../locales/${language}/orders.json`, import.meta.url), 'utf8'),
  ) as Texts
const at = (texts: Texts, path: string) =>
  path
    .split('.')
    .reduce<string | Texts | undefined>(
      (found, part) => (typeof found === 'object' ? found[part] : undefined),
      texts,
    )

test.each(LANGUAGES)('%s has a label for every status, close type, tag and menu', (language) => {
  const texts = read(language)
  const keys = [
    ...ORDER_STATUSES.map((status) => `status.${orderStatusName(status)}`),
    ...CLOSE_TYPES.map((type) => `closeType.${type}`),
    ...['firstLoan', 'reLoan', 'extension'].map((tag) => `tag.${tag}`),
    ...ORDERS_MENU.map((item) => item.title.replace('orders:', '')),
  ]
  expect(keys.filter((key) => typeof at(texts, key) !== 'string')).toEqual([])
  expect(
    new Set(ORDER_STATUSES.map((status) => at(texts, `status.${orderStatusName(status)}`))).size,
  ).toBe(ORDER_STATUSES.length)
})

test('an unknown status number is shown with its number', () => {
  expect(orderStatusKey(50)).toBe('orders:status.overdue')
  expect(orderStatusKey(51)).toBe('orders:status.unknown')
  expect(statusTone(51)).toBe('neutral')
})

test('a code without a label is shown as it is', () => {
  expect(codeWord('cause', 'somethingNew', (_, params) => String(params?.defaultValue))).toBe(
    'somethingNew',
  )
})

test('basis points are shown as per cent without trailing zeros', () => {
  expect([0, 9, 12, 250, 100, 1_205].map(rateText)).toEqual([
    '0 %',
    '0.09 %',
    '0.12 %',
    '2.5 %',
    '1 %',
    '12.05 %',
  ])
})
