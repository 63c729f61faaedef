import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import words from '#locales/en/access.json' with { type: 'json' }
import type { MenuItem } from '#shared/kernel/permission.ts'
import { operatorWord } from './action-word.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')

test('every button a role can be given has words', async () => {
  const files = readdirSync(SHARED, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-menu.ts'))
  const menus = (await Promise.all(files.map((path) => import(join(SHARED, path)) as Promise<{ [name: string]: MenuItem[] }>))).flatMap((module) => Object.values(module).flat())
  expect(menus.length).toBeGreaterThan(20)
  const missing = menus.flatMap((menu) => Object.keys(menu.actions).filter((code) => !Object.hasOwn(words.action, code)).map((code) => `${menu.name}:${code}`))
  expect(missing).toEqual([])
})

test('a job of the product reads in words, people and machines keep their names', () => {
  const texts: { readonly [key: string]: string } = { 'access:record.system': 'System', 'access:action.openDay': 'Open the day', 'access:action.payout': 'Payout' }
  const t = (key: string, params?: { [name: string]: unknown }): string => texts[key] ?? String(params?.defaultValue ?? key)
  const shown = (operatorName: string | null, operatorId: string | null = null): string => operatorWord(t, { operatorId, operatorName })
  expect([shown(null), shown('openDay'), shown('payout:sandbox'), shown('noSuchJob'), shown('Customer app (demo)'), shown('openDay', '7')]).toEqual(['System', 'System · Open the day', 'System · Payout (sandbox)', 'noSuchJob', 'Customer app (demo)', 'openDay'])
})
