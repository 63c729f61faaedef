import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { QUALITY_CODES, REJECT_CODES } from '#shared/review/reject-reasons.ts'
import { REVIEW_STATES } from '#shared/review/review-lifecycle.ts'
import { QUALITY_STATES } from '#shared/review/quality-lifecycle.ts'
import { TELE_STATES } from '#shared/review/tele-lifecycle.ts'
import { DATA_ITEMS } from '#shared/review/review-api.ts'
import texts from '#locales/en/review.json'
import ui from '#locales/en/ui.json'
import { CHECK_POINTS } from './desk/Checklist.tsx'
import { TELE_QUESTIONS } from './desk/TelePanel.tsx'
import { ROW_ACTIONS } from './review-rules.ts'

const folder = import.meta.dirname
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))

function has(tree: object, key: string): boolean {
  const found = key
    .split('.')
    .reduce<unknown>(
      (node, part) =>
        typeof node === 'object' && node !== null
          ? ((node as Record<string, unknown>)[part] ??
            (node as Record<string, unknown>)[`${part}_other`])
          : undefined,
      tree,
    )
  return typeof found === 'string'
}

test('every text key used by the screens exists', () => {
  const named = sources.flatMap((source) =>
    [...source.matchAll(/\bt\('([^']+)'/g), ...source.matchAll(/labelKey: '([^']+)'/g)].map(
      (match) => match[1] as string,
    ),
  )
  expect(named.length).toBeGreaterThan(150)
  const missing = named.filter((key) =>
    key.startsWith('ui:') ? !has(ui, key.slice(3)) : !has(texts, key.replace(/^review:/, '')),
  )
  expect(missing).toEqual([])
})

test.each<[string, readonly string[]]>([
  ['state', REVIEW_STATES],
  ['qualityState', QUALITY_STATES],
  ['tele', TELE_STATES],
  ['reject', REJECT_CODES],
  ['quality', QUALITY_CODES],
  ['item', DATA_ITEMS],
  ['check', CHECK_POINTS],
  ['question', TELE_QUESTIONS],
  ['action', ROW_ACTIONS],
])('every code of %s has a label', (set, codes) => {
  expect(codes.filter((code) => !has(texts, `${set}.${code}`))).toEqual([])
})
