/**
 * Filters of the ticket lists: in the address, in the filter bar, and as input of the list call.
 */
import { listInput } from '#client/screen/list/list-input.ts'
import { isPhone } from '#client/screen/list/phone-filter.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters, GridView } from '#client/ui/grid/grid-url.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { HANDOVER_STATES } from '#shared/handovers/handover-lifecycle.ts'
import { FOLLOW_STATES } from '#shared/tickets/follow-lifecycle.ts'
import { PROGRESS_STATES } from '#shared/tickets/ticket-lifecycle.ts'
import {
  MAX_LEVEL,
  queueOf,
  TICKET_QUEUES,
  TICKET_TABS,
  TICKET_TYPES,
} from '#shared/tickets/ticket-sets.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import type { LiveFilters } from '../ticket-apply.ts'
import { QUEUE_OF, type Taker, type TicketMenu, type TicketTab } from '../ticket-types.ts'
import type { Text } from '#client/base/use-text.ts'

export const TICKET_FILTERS = {
  feedbackId: 'text',
  userId: 'text',
  orderId: 'text',
  phone: 'private',
  type: 'many',
  progress: 'many',
  followState: 'many',
  handoverState: 'many',
  level: 'many',
  queue: 'one',
  processorId: 'one',
  department: 'one',
  createTime: 'day',
  overdue: 'flag',
  dueSoon: 'flag',
  stageId: 'many',
  agencyId: 'one',
  collectorId: 'one',
} as const
export type TicketFilters = Filters<typeof TICKET_FILTERS>

/** Due soonest first, so missed tickets come first. */
export const TICKET_VIEW: Partial<GridView> = {}

export type ListTab = TicketTab | 'statement'

/** Tabs of a screen: queues are for work, intake for search and statistics. */
export const TABS_OF: Record<TicketMenu, readonly ListTab[]> = {
  operation_ticket: ['queue', 'mine', 'handover', 'finished'],
  loaned_ticket: ['queue', 'mine', 'handover', 'finished'],
  user_feedback: ['all', 'queue', 'mine', 'handover', 'finished', 'statement'],
}

export function tabOf(text: string | null, menu: TicketMenu): ListTab {
  const tabs = TABS_OF[menu]
  return tabs.find((tab) => tab === text) ?? (tabs[0] as ListTab)
}

export function isTicketTab(tab: ListTab): tab is TicketTab {
  return (TICKET_TABS as readonly string[]).includes(tab)
}

/** What the call of a tab is asked; an incomplete phone number is left out. */
export function ticketInput(
  menu: TicketMenu,
  tab: TicketTab,
  query: Record<string, unknown>,
): InputOf<typeof listTickets> {
  const { phone } = query
  return listInput(listTickets, {
    ...query,
    tab,
    queue: QUEUE_OF[menu] ?? query.queue,
    phone: typeof phone === 'string' && isPhone(phone) ? phone : undefined,
  })
}

export function liveFilters({
  type,
  progress,
  followState,
  handoverState,
  level,
  processorId,
  department,
}: TicketFilters): LiveFilters {
  const given = { type, progress, followState, handoverState, level, processorId, department }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** @param floor agencies and people for the case filters of post-loan tickets */
export function filterFields(
  menu: TicketMenu,
  tab: TicketTab,
  t: Text,
  takers: readonly Taker[],
  floor?: DataOf<typeof collectionTree>,
): FilterField<keyof typeof TICKET_FILTERS>[] {
  const queue = QUEUE_OF[menu]
  const options = (set: string, codes: readonly (string | number)[]) =>
    codes.map((code) => ({ value: String(code), label: t(`tickets:${set}.${code}`) }))
  const col = (name: string) => t(`tickets:col.${name}`)
  const departments = [
    ...new Map(
      takers.flatMap(({ department, departmentName }) =>
        department === null ? [] : [[department, departmentName ?? department] as const],
      ),
    ),
  ]
  const types = TICKET_TYPES.filter(
    (type) => queue === null || queueOf(type, false) === queue || queueOf(type, true) === queue,
  )
  return [
    {
      name: 'feedbackId',
      kind: 'text',
      label: col('ticket'),
      place: 'quick',
      placeholder: t('tickets:find'),
    },
    {
      name: 'type',
      kind: 'many',
      label: col('type'),
      place: 'bar',
      options: options('type', types),
    },
    ...(queue === null
      ? [
          {
            name: 'queue',
            kind: 'one',
            label: col('queue'),
            place: 'bar',
            options: options('queue', TICKET_QUEUES),
          } as const,
        ]
      : []),
    ...(tab === 'finished'
      ? []
      : [
          {
            name: 'progress',
            kind: 'many',
            label: col('progress'),
            options: options(
              'progress',
              tab === 'all'
                ? PROGRESS_STATES
                : PROGRESS_STATES.filter((state) => state !== 'finished'),
            ),
          } as const,
        ]),
    {
      name: 'followState',
      kind: 'many',
      label: col('follow'),
      options: options('follow', FOLLOW_STATES),
    },
    {
      name: 'handoverState',
      kind: 'many',
      label: col('handover'),
      options: options('handover', HANDOVER_STATES),
    },
    {
      name: 'level',
      kind: 'many',
      label: col('level'),
      options: Array.from({ length: MAX_LEVEL + 1 }, (_, level) => ({
        value: String(level),
        label: t('tickets:level', { level }),
      })),
    },
    ...(takers.length > 0 && tab !== 'mine'
      ? [
          {
            name: 'processorId',
            kind: 'one',
            label: col('processor'),
            options: takers.map(({ userId, userName }) => ({ value: userId, label: userName })),
          } as const,
        ]
      : []),
    ...(departments.length > 0
      ? [
          {
            name: 'department',
            kind: 'one',
            label: col('department'),
            options: departments.map(([value, label]) => ({ value, label })),
          } as const,
        ]
      : []),
    ...(queue === 'loaned'
      ? [
          {
            name: 'stageId',
            kind: 'many',
            label: col('stage'),
            options: STAGES.map((stage) => ({ value: stage, label: stage })),
          } as const,
        ]
      : []),
    ...(queue === 'loaned' && floor
      ? [
          {
            name: 'agencyId',
            kind: 'one',
            label: col('agency'),
            options: floor.agencies.map(({ id, name }) => ({ value: id, label: name })),
          } as const,
          {
            name: 'collectorId',
            kind: 'one',
            label: col('collector'),
            options: floor.collectors.map(({ userId, userName, account }) => ({
              value: userId,
              label: `${userName} (${account})`,
            })),
          } as const,
        ]
      : []),
    { name: 'userId', kind: 'text', label: col('customerId') },
    { name: 'orderId', kind: 'text', label: col('order') },
    { name: 'phone', kind: 'text', label: col('phone') },
    { name: 'createTime', kind: 'day', label: col('createTime') },
    ...(tab === 'finished'
      ? []
      : [
          { name: 'overdue', kind: 'flag', label: col('overdue') } as const,
          { name: 'dueSoon', kind: 'flag', label: t('figure.dueSoon') } as const,
        ]),
  ]
}
