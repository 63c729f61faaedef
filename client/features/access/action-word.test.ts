import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { i18n, translate } from '#client/base/i18n.ts'
import jobs from '#locales/en/notifications.json' with { type: 'json' }
import words from '#locales/en/access.json' with { type: 'json' }
import type { MenuItem } from '#shared/kernel/permission.ts'
import { actionWord } from './action-word.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')

beforeAll(async () => {
  if (!i18n.isInitialized) await i18n.init({ lng: 'en' })
  i18n.addResourceBundle('en', 'access', words)
  i18n.addResourceBundle('en', 'notifications', jobs)
})

test('what a job does, and how it or one of its rows ended, is named after its type', () => {
  const word = (action: string) => actionWord((key, params) => translate(key, params), action)
  expect(
    [
      'ledger.proof',
      'ledger.proof.done',
      'collection.allocate.run.cancelled',
      'blacklist.add.refused',
      'payment.failed',
      'batch.credit.done',
      'unknown.done',
      'unknown',
    ].map(word),
  ).toEqual([
    'Proof of the books',
    'Proof of the books: Done',
    'Allocation run: Cancelled',
    'Blacklist customers: Refused',
    'Payment failed',
    'Batch run: Done',
    'unknown.done',
    'unknown',
  ])
})

test('every button a role can have has a label', async () => {
  const files = readdirSync(SHARED, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('-menu.ts'),
  )
  const menus = (
    await Promise.all(
      files.map((path) => import(join(SHARED, path)) as Promise<{ [name: string]: MenuItem[] }>),
    )
  ).flatMap((module) => Object.values(module).flat())
  expect(menus.length).toBeGreaterThan(20)
  const missing = menus.flatMap((menu) =>
    Object.keys(menu.actions)
      .filter((code) => !Object.hasOwn(words.action, code))
      .map((code) => `${menu.name}:${code}`),
  )
  expect(missing).toEqual([])
})
