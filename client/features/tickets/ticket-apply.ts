/**
 * What live events do to a list of tickets: rows are patched, marked as leaving when they no longer
 * fit the tab or the filters, and counted when they enter. Pure; the result must equal a fresh
 * fetch of the list.
 */
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import {
  CASE_ALLOCATED,
  CASE_ENDED,
  CASE_RECALLED,
  CASE_STAGE_MOVED,
  CASE_STOP_CHANGED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_CREATED,
  TICKET_DISTRIBUTION_CHANGED,
  TICKET_ESCALATED,
  TICKET_HANDOVER_CHANGED,
  TICKET_LEASE_EXPIRING,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'
import { factsOf } from './ticket-facts.ts'
import { isReceiver } from './ticket-rules.ts'
import {
  can,
  type TicketQueue,
  type TicketRow,
  type TicketTab,
  type Viewer,
} from './ticket-types.ts'

/** Events of tickets. */
export const TICKET_EVENTS: readonly string[] = [
  TICKET_CREATED,
  TICKET_ASSIGNED,
  TICKET_REPLIED,
  TICKET_STATE_CHANGED,
  TICKET_HANDOVER_CHANGED,
  TICKET_ESCALATED,
  TICKET_SLA_DUE,
  TICKET_LEASE_EXPIRING,
  TICKET_DISTRIBUTION_CHANGED,
].map((kind) => kind.type)
/**
 * Events of the customer's case, which is part of the row in the post-loan queue: rows of that
 * customer are fetched again.
 */
const CASE_TYPES: readonly string[] = [
  CASE_ALLOCATED,
  CASES_ALLOCATED,
  CASE_RECALLED,
  CASES_RECALLED,
  CASE_STAGE_MOVED,
  CASE_STOP_CHANGED,
  CASE_ENDED,
].map((kind) => kind.type)
export const TICKET_LIST_EVENTS: readonly string[] = [...TICKET_EVENTS, ...CASE_TYPES]

/**
 * Filters that an event can decide. The others are on fields that never change, or only the server
 * can decide them.
 */
export interface LiveFilters {
  type?: readonly string[]
  progress?: readonly string[]
  followState?: readonly string[]
  handoverState?: readonly string[]
  level?: readonly string[]
  processorId?: string
  department?: string
}

export interface TicketListView {
  tab: TicketTab
  queue: TicketQueue | null
  viewer: Viewer
  filters: LiveFilters
  rows: ReadonlyMap<string, TicketRow>
}

export interface Applied {
  changes: LiveChange[]
  /** Shown rows to be fetched, because the event carries too little. */
  read: Set<string>
  /** The figures, or which rows are on the page, need a fresh fetch. */
  needsRefetch: boolean
}

export type LeaveWords = (
  why: 'taken' | 'takenByYou' | 'back' | 'finished' | 'reopened' | 'decided' | 'moved',
  params: { name: string },
) => string

export function applyTicketEvents(
  view: TicketListView,
  events: readonly LiveEvent[],
  words: LeaveWords,
): Applied {
  const applied: Applied = { changes: [], read: new Set(), needsRefetch: false }
  const now = new Map(view.rows)
  const gone = new Set<string>()
  for (const event of events) {
    if (event.type === TICKET_DISTRIBUTION_CHANGED.type) applied.needsRefetch = true
    if (CASE_TYPES.includes(event.type)) {
      const { caseId, caseIds = [] } = event.data as { caseId?: string; caseIds?: string[] }
      for (const [id, row] of now)
        if (
          row.queue === 'loaned' &&
          (row.caseId === caseId || (row.caseId !== null && caseIds.includes(row.caseId)))
        )
          applied.read.add(id)
      continue
    }
    const known = now.get(String(event.data.feedbackId ?? ''))
    const facts = factsOf(event, known)
    if (!facts) continue
    const { feedbackId, fields } = facts
    applied.needsRefetch ||=
      facts.counts && (facts.queue === null || view.queue === null || facts.queue === view.queue)
    if (!known) {
      if (mayEnter(view, facts.queue, fields)) applied.changes.push({ kind: 'new', id: feedbackId })
      continue
    }
    const { version } = event
    const row: TicketRow = { ...known, ...fields, version: Math.max(known.version, version ?? 0) }
    now.set(feedbackId, row)
    if (Object.keys(fields).length > 0)
      applied.changes.push({
        kind: 'patch',
        id: feedbackId,
        ...(version === undefined
          ? { changes: fields }
          : { version, changes: { ...fields, version } }),
      })
    if (facts.isPartial) applied.read.add(feedbackId)
    const stays = belongsTo(view.tab, row, view.viewer) && fits(row, view.filters)
    if (!stays && !gone.has(feedbackId)) {
      gone.add(feedbackId)
      applied.changes.push({
        kind: 'leave',
        id: feedbackId,
        ...(event.version === undefined ? {} : { version: event.version }),
        reason: leaveReason(known, row, view.viewer, words),
      })
    }
  }
  return applied
}

/** Which rows are in which tab, by the same rule as the server. */
export function belongsTo(
  tab: TicketTab,
  row: Pick<
    TicketRow,
    | 'progress'
    | 'processorId'
    | 'handoverState'
    | 'handoverToId'
    | 'handoverToDepartment'
    | 'handoverById'
    | 'queue'
  >,
  viewer: Viewer,
): boolean {
  switch (tab) {
    case 'queue':
      return row.progress !== 'finished'
    case 'mine':
      return row.progress !== 'finished' && row.processorId === viewer.userId
    case 'handover':
      return (
        row.handoverState === 'pending' &&
        (row.processorId === viewer.userId ||
          row.handoverById === viewer.userId ||
          isReceiver(row, viewer) ||
          can(viewer, row.queue, 'decide'))
      )
    case 'finished':
      return row.progress === 'finished'
    case 'all':
      return true
  }
}

export function fits(row: Partial<TicketRow>, filters: LiveFilters): boolean {
  const many = (chosen: readonly string[] | undefined, value: unknown) =>
    !chosen?.length || value === undefined || chosen.includes(String(value))
  return (
    many(filters.type, row.type) &&
    many(filters.progress, row.progress) &&
    many(filters.followState, row.followState) &&
    many(filters.handoverState, row.handoverState) &&
    many(filters.level, row.level) &&
    (filters.processorId === undefined ||
      row.processorId === undefined ||
      filters.processorId === row.processorId) &&
    (filters.department === undefined ||
      row.department === undefined ||
      filters.department === row.department)
  )
}

/** Whether a ticket that is not shown may belong to the list now; only a fetch can tell. */
function mayEnter(
  view: TicketListView,
  queue: TicketQueue | null,
  fields: Partial<TicketRow>,
): boolean {
  if (view.queue !== null && queue !== null && queue !== view.queue) return false
  if (!fits(fields, view.filters)) return false
  switch (view.tab) {
    case 'queue':
      return fields.progress === 'unprocessed'
    case 'mine':
      return fields.processorId === view.viewer.userId && fields.progress === 'followingUp'
    case 'handover':
      return fields.handoverState === 'pending'
    case 'finished':
      return fields.progress === 'finished'
    case 'all':
      // a ticket that existed before is on another page
      return fields.progress === 'unprocessed' && fields.level === 0
  }
}

function leaveReason(was: TicketRow, row: TicketRow, viewer: Viewer, words: LeaveWords): string {
  const name = row.processorName ?? ''
  if (row.progress === 'finished' && was.progress !== 'finished') return words('finished', { name })
  if (was.progress === 'finished' && row.progress !== 'finished') return words('reopened', { name })
  if (row.processorId !== was.processorId)
    return row.processorId === null
      ? words('back', { name })
      : words(row.processorId === viewer.userId ? 'takenByYou' : 'taken', { name })
  return words(
    was.handoverState === 'pending' && row.handoverState !== 'pending' ? 'decided' : 'moved',
    { name },
  )
}
