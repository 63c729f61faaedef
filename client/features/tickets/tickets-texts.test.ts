import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import search from '#locales/en/search.json'
import texts from '#locales/en/tickets.json'
import ui from '#locales/en/ui.json'
import { CONTACT_WAYS } from '#shared/collection/collection-sets.ts'
import { HANDOVER_STATES } from '#shared/handovers/handover-lifecycle.ts'
import { FOLLOW_STATES } from '#shared/tickets/follow-lifecycle.ts'
import { PROGRESS_STATES } from '#shared/tickets/ticket-lifecycle.ts'
import {
  STATEMENT_GROUPS,
  STEP_KINDS,
  TICKET_QUEUES,
  TICKET_TABS,
  TICKET_TYPES,
} from '#shared/tickets/ticket-sets.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { TICKET_ACTION_IDS } from './ticket-rules.ts'

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

test('every text key named by a screen exists', () => {
  const named = sources.flatMap((source) =>
    [
      ...source.matchAll(/\bt\('([^']+)'/g),
      ...source.matchAll(/labelKey: '([^']+)'/g),
      ...source.matchAll(/\btitle\('([^']+)'/g),
    ].map((match) => (match[0].startsWith('title') ? `col.${match[1]}` : (match[1] as string))),
  )
  expect(named.length).toBeGreaterThan(120)
  const missing = named.filter((key) => {
    const [, space = 'tickets', path = ''] = /^(?:(\w+):)?(.*)$/.exec(key) ?? []
    return !has({ tickets: texts, ui, search }[space] ?? {}, path)
  })
  expect(missing).toEqual([])
})

/** Steps whose text is their content. */
const SPOKEN = ['created', 'reply', 'note', 'customerMessage']
const keys = ['finished', 'unclaimed', 'claimed', 'notYours', 'pending', 'top', 'open']

test.each<[string, readonly (string | number)[]]>([
  ['type', TICKET_TYPES],
  ['queue', TICKET_QUEUES],
  ['progress', PROGRESS_STATES],
  ['follow', FOLLOW_STATES],
  ['handover', HANDOVER_STATES],
  ['tab', TICKET_TABS],
  ['empty', TICKET_TABS],
  ['way', CONTACT_WAYS],
  ['step', STEP_KINDS.filter((kind) => !SPOKEN.includes(kind))],
  ['statement.group', STATEMENT_GROUPS],
  ['action', TICKET_ACTION_IDS],
  ['refused', keys],
  ['leave', ['taken', 'takenByYou', 'back', 'finished', 'reopened', 'decided', 'moved']],
  ['sla.left', ['days', 'hours', 'minutes', 'now']],
  ['sla.late', ['days', 'hours', 'minutes', 'now']],
  ['duration', ['days', 'hours', 'minutes']],
])('every code of %s has a label', (set, codes) => {
  expect(codes.filter((code) => !has(texts, `${set}.${code}`))).toEqual([])
})

test('every menu of the tickets has a title', () => {
  expect(
    TICKETS_MENU.map((item) => item.title).filter(
      (title) => title.startsWith('tickets:') && !has(texts, title.slice('tickets:'.length)),
    ),
  ).toEqual([])
})
