import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import words from '#locales/en/access.json' with { type: 'json' }
import type { MenuItem } from '#shared/kernel/permission.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')

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
