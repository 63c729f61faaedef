import { beforeAll, expect, test } from 'vitest'
import { i18n } from '#client/app/i18n.ts'
import words from '#locales/en/ui.json' with { type: 'json' }
import { read, sourceFiles } from '#tests/architecture/sources.ts'
import { doerWord } from './doer-word.ts'

beforeAll(async () => {
  if (!i18n.isInitialized) await i18n.init({ lng: 'en' })
  i18n.addResourceBundle('en', 'ui', words, true, true)
})

test('a part of the system reads in words, another system with its name, people as they are called', () => {
  expect(
    ['openDay', 'payout:sandbox', 'noSuchJob', 'Asha Rao', 'desk (spare)'].map(doerWord),
  ).toEqual(['Day opening', 'Payout vendor (sandbox)', 'noSuchJob', 'Asha Rao', 'desk (spare)'])
})

test('every part of the system that acts by itself has words', () => {
  const names = sourceFiles()
    .filter((path) => path.startsWith('gateway/') && !/\.test\./.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [...text.matchAll(/systemActor\((?:'([^']+)'|([A-Z]+))[,)]/g)].map(
        ([, name, constant]) =>
          name ??
          new RegExp(`^const ${constant} = '([^']+)'`, 'm').exec(text)?.[1] ??
          `${path}: ${constant}`,
      )
    })
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !Object.hasOwn(words.doer, name.replaceAll('.', '_')))).toEqual([])
})
