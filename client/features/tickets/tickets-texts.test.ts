import { expect, test } from 'vitest'
import texts from '#locales/en/tickets.json'
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

/** Steps whose text is their content. */
const SPOKEN = ['created', 'reply', 'note', 'customerMessage']
/** Texts with a plural are told apart by its form. */
const hasText = (words: object, code: string | number) => code in words || `${code}_other` in words

// the compiler does not check keys that are built from codes
test.each<[string, readonly (string | number)[], object]>([
  ['type', TICKET_TYPES, texts.type],
  ['queue', TICKET_QUEUES, texts.queue],
  ['progress', PROGRESS_STATES, texts.progress],
  ['follow', FOLLOW_STATES, texts.follow],
  ['handover', HANDOVER_STATES, texts.handover],
  ['tab', TICKET_TABS, texts.tab],
  ['empty', TICKET_TABS, texts.empty],
  ['way', CONTACT_WAYS, texts.way],
  ['step', STEP_KINDS.filter((kind) => !SPOKEN.includes(kind)), texts.step],
  ['statement group', STATEMENT_GROUPS, texts.statement.group],
  ['action', TICKET_ACTION_IDS, texts.action],
  [
    'refusal',
    ['finished', 'unclaimed', 'claimed', 'notYours', 'pending', 'top', 'open'],
    texts.refused,
  ],
  [
    'leave',
    ['taken', 'takenByYou', 'back', 'finished', 'reopened', 'decided', 'moved'],
    texts.leave,
  ],
  ['time left', ['days', 'hours', 'minutes', 'now'], texts.sla.left],
  ['time over', ['days', 'hours', 'minutes', 'now'], texts.sla.late],
])('each %s has a label', (_, codes, words) => {
  expect(codes.filter((code) => !hasText(words, code))).toEqual([])
})

test('every menu of the tickets has a title', () => {
  const titles = TICKETS_MENU.map(({ title }) => title).filter((title) =>
    title.startsWith('tickets:'),
  )
  const known = Object.keys(texts.menu).map((name) => `tickets:menu.${name}`)
  expect(titles.filter((title) => !known.includes(title))).toEqual([])
})
