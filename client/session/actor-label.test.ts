import { beforeAll, expect, test } from 'vitest'
import { i18n } from '#client/base/i18n.ts'
import words from '#locales/en/ui.json' with { type: 'json' }
import { read, sourceFiles } from '#tests/architecture/sources.ts'
import { actorLabel } from './actor-label.ts'

beforeAll(async () => {
  if (!i18n.isInitialized) await i18n.init({ lng: 'en' })
  i18n.addResourceBundle('en', 'ui', words, true, true)
})

test('parts of the system and other systems are shown by label, people by name', () => {
  expect(
    ['openDay', 'payout:sandbox', 'noSuchJob', 'Asha Rao', 'desk (spare)'].map(actorLabel),
  ).toEqual(['Day opening', 'Payout vendor (sandbox)', 'noSuchJob', 'Asha Rao', 'desk (spare)'])
})

test('every part of the system that acts by itself has a label', () => {
  const names = sourceFiles()
    .filter((path) => path.startsWith('gateway/') && !/\.test\./.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [
        ...text.matchAll(/(?:systemActor\(|WORK = \{ name: )(?:'([^']+)'|([A-Z]+))[,)]/g),
      ].map(
        ([, name, constant]) =>
          name ??
          new RegExp(`^const ${constant} = '([^']+)'`, 'm').exec(text)?.[1] ??
          `${path}: ${constant}`,
      )
    })
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !Object.hasOwn(words.actor, name.replaceAll('.', '_')))).toEqual([])
})

test('every kind of machine call has a label', () => {
  const scopes = sourceFiles()
    .filter((path) => path.startsWith('shared/') && !/\.test\./.test(path))
    .flatMap((path) => [...read(path).matchAll(/access: \{ machine: '(\w+)' \}/g)])
    .map(([, scope = '']) => scope)
  expect(scopes.length).toBeGreaterThan(10)
  expect(scopes.filter((scope) => !Object.hasOwn(words.actor, scope))).toEqual([])
})
