/**
 * Applies live events to the rows and counts of the review list. The result equals a refetch: rows
 * leave and enter the tab, and versions decide. What an event does not carry is returned as
 * `incomplete` or `recount`, so that the screen fetches only that. Pure.
 */
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import { REVIEW_QUEUE_STATS, REVIEW_STATE_CHANGED } from '#shared/review/review-live.ts'
import type {
  QueueStats,
  ReviewCounts,
  ReviewPage,
  ReviewRow,
  ReviewTab,
  Viewer,
} from '../review-types.ts'
import { type EventFacts, factsOf } from './review-facts.ts'
import { belongsTo, DECIDED_STATES, fitsFilters, isHeld, type LiveFilters } from './review-tabs.ts'

interface Known {
  /** Version of the row when it was read; 0 = known only from events. */
  base: number
  /** Fields received since then, with the version of their event. */
  received: Readonly<Record<string, number>>
  row: Partial<ReviewRow>
}

export interface ReviewList {
  tab: ReviewTab
  viewer: Viewer
  filters: LiveFilters
  known: ReadonlyMap<string, Known>
  /** Rows on the page that have not left. */
  page: ReadonlySet<string>
  counts: ReviewCounts
  stats: QueueStats
}

export interface Applied {
  list: ReviewList
  changes: LiveChange[]
  /** Rows of the tab with missing fields: refetch them. */
  incomplete: ReadonlySet<string>
  /** Tab counts or membership cannot be derived from events: refetch the list. */
  recount: boolean
}

/** Why a row leaves, in the user's language. */
export type LeaveWords = (
  key: 'claimed' | 'claimedByYou' | 'back' | 'moved',
  row: Partial<ReviewRow>,
  actor: string | null,
) => string

const COUNTED = ['queue', 'mine', 'handover', 'quality'] as const
const KNOWN_LIMIT = 2_000

export function emptyReviewList(
  tab: ReviewTab,
  viewer: Viewer,
  filters: LiveFilters = {},
): ReviewList {
  return {
    tab,
    viewer,
    filters,
    known: new Map(),
    page: new Set(),
    counts: { queue: 0, mine: 0, handover: 0, quality: 0 },
    stats: {
      waiting: 0,
      oldestTime: null,
      held: 0,
      reviewersOnline: 0,
      doneToday: 0,
      averageSec: null,
      lastArrivalTime: null,
      maxClaimed: 0,
    },
  }
}

/** A response of the list endpoint. */
export function takeReviewPage(list: ReviewList, answer: ReviewPage): ReviewList {
  const known = new Map(list.known)
  for (const row of answer.rows) known.set(row.reviewId, merged(known.get(row.reviewId), row))
  for (const id of known.keys()) if (known.size > KNOWN_LIMIT) known.delete(id)
  return {
    ...list,
    known,
    page: new Set(answer.rows.map((row) => row.reviewId)),
    counts: answer.counts,
    stats: answer.stats,
  }
}

/** One row, read by id; null when the list does not contain it. */
export function takeReviewRow(list: ReviewList, row: ReviewRow): ReviewList {
  return {
    ...list,
    known: new Map(list.known).set(row.reviewId, merged(list.known.get(row.reviewId), row)),
  }
}

/** Counts to be shown: one below 0 met an event that was older, and is read again. */
export function shownCounts(counts: ReviewCounts): ReviewCounts {
  return {
    queue: Math.max(0, counts.queue),
    mine: Math.max(0, counts.mine),
    handover: Math.max(0, counts.handover),
    quality: Math.max(0, counts.quality),
  }
}

export function applyReviewEvents(
  before: ReviewList,
  events: readonly LiveEvent[],
  words: LeaveWords,
): Applied {
  let list = before
  const changes: LiveChange[] = []
  const lacking: Lacking = new Map()
  let recount = false
  for (const event of events.toSorted(byCausality)) {
    if (event.type === REVIEW_QUEUE_STATS.type) {
      list = { ...list, stats: { ...list.stats, ...(event.data as Partial<QueueStats>) } }
      continue
    }
    // A review that waits for the machine is announced only by its order's event.
    if (event.type === ORDER_CREATED.type)
      recount ||= list.tab === 'all' && list.viewer.sees === 'all'
    const facts = factsOf(event)
    if (!facts) continue
    const id = String(event.data.reviewId)
    const was = list.known.get(id)
    const version = event.version ?? unversioned(event, was)
    const now = received(was, version, facts)
    if (!now || now === was) continue
    const counted = recounted(list, was?.row ?? {}, now.row, facts)
    recount ||= counted === null
    list = { ...list, known: new Map(list.known).set(id, now), counts: counted ?? list.counts }
    lacking.set(
      id,
      new Map([
        ...(lacking.get(id) ?? []),
        ...facts.lacks.map((field) => [field, version] as const),
      ]),
    )
    const stays = belongsHere(list, now.row)
    const patch: LiveChange = { kind: 'patch', id, version, changes: { ...facts.fields, version } }
    if (list.page.has(id) && !stays) {
      // Patched before it leaves, so that the row shows who claimed it.
      changes.push(patch, {
        kind: 'leave',
        id,
        version,
        reason: leaveReason(list, now.row, event, words),
      })
      list = { ...list, page: new Set([...list.page].filter((other) => other !== id)) }
    } else if (list.page.has(id)) changes.push(patch)
    else if (stays) changes.push({ kind: 'new', id })
  }
  return { list, changes, incomplete: incompleteOf(list, lacking), recount }
}

/** Like a renewal, the lease warning does not change the version and sorts before the next one. */
function unversioned(event: LiveEvent, known: Known | undefined): number {
  return (
    Math.floor(Math.max(known?.base ?? 0, ...Object.values(known?.received ?? {}))) +
    Date.parse(String(event.data.leaseUntil)) / 1e13
  )
}

/** Of one command's events the state change comes first: only it has the previous state. */
function byCausality(a: LiveEvent, b: LiveEvent): number {
  return (
    (a.version ?? 0) - (b.version ?? 0) ||
    Number(b.type === REVIEW_STATE_CHANGED.type) - Number(a.type === REVIEW_STATE_CHANGED.type) ||
    a.seq - b.seq
  )
}

/** Row → field → version at which it changed without being sent. */
type Lacking = Map<string, ReadonlyMap<string, number>>

function incompleteOf(list: ReviewList, lacking: Lacking): Set<string> {
  const found = new Set<string>()
  for (const [id, fields] of lacking) {
    const known = list.known.get(id)
    if (!known || !belongsHere(list, known.row)) continue
    if (
      known.base === 0 ||
      [...fields].some(
        ([field, version]) => Math.max(known.received[field] ?? 0, known.base) < version,
      )
    )
      found.add(id)
  }
  return found
}

function belongsHere(list: ReviewList, row: Partial<ReviewRow>): boolean {
  // Missing fields count as those of a new row; the row is refetched in any case. A hand-over row
  // is shown to those concerned, whatever else is unknown.
  if (
    row.state === undefined &&
    list.tab !== 'handover' &&
    !(list.tab === 'all' && list.viewer.sees === 'own')
  )
    return false
  const whole = {
    reviewerId: null,
    firstReviewerId: null,
    handoverState: null,
    handoverToId: null,
    finishTime: null,
    manualResult: null,
    quality: 'notChecked',
    teleCallState: 'notExecuted',
    rejectCode: null,
    ...row,
  } as ReviewRow
  return belongsTo(list.tab, whole, list.viewer) && fitsFilters(whole, list.filters)
}

/** New counts, or null when they cannot be derived. */
function recounted(
  list: ReviewList,
  was: Partial<ReviewRow>,
  now: Partial<ReviewRow>,
  facts: EventFacts,
): ReviewCounts | null {
  const counts = { ...list.counts }
  const before =
    was.state === undefined && facts.from !== undefined
      ? { ...was, state: facts.from as ReviewRow['state'] }
      : was
  for (const tab of COUNTED) {
    // starting or ending a hand-over moves its review in no other tab
    if (
      !DECIDES[tab].some((field) => field in facts.fields) ||
      (facts.before && tab !== 'handover')
    )
      continue
    const stood =
      inTab(tab, { ...before, ...facts.before }, list.viewer) ??
      (tab === 'mine' && allOwnKnown(list) ? false : null)
    const stands = inTab(tab, now, list.viewer)
    if (stood === null || stands === null) return null
    counts[tab] += Number(stands) - Number(stood)
  }
  return counts
}

const DECIDES: Record<(typeof COUNTED)[number], readonly (keyof ReviewRow)[]> = {
  queue: ['state'],
  mine: ['state', 'reviewerId'],
  handover: ['handoverState'],
  quality: ['state', 'manualResult'],
}

/** Whether the row belongs to the tab; null = cannot tell. */
function inTab(
  tab: (typeof COUNTED)[number],
  row: Partial<ReviewRow>,
  viewer: Viewer,
): boolean | null {
  const own = row.reviewerId === undefined ? null : row.reviewerId === viewer.userId
  if (tab === 'handover') {
    if (viewer.sees === 'decided') return false
    if (row.handoverState === undefined)
      return row.state !== undefined && !isHeld({ state: row.state }) ? false : null
    if (row.handoverState !== 'pending') return false
    return viewer.sees === 'all' || row.handoverToId === viewer.userId || own
  }
  if (row.state === undefined) return null
  // The review of a cancelled order keeps its state and gets a finish time.
  if (tab === 'queue')
    return (
      viewer.sees !== 'decided' && row.state === 'unclaimed' && (row.finishTime ?? null) === null
    )
  if (tab === 'mine') return isHeld({ state: row.state }) ? own : false
  if (!DECIDED_STATES.includes(row.state)) return false
  if (row.manualResult === undefined) return null
  return row.manualResult !== null && (viewer.sees !== 'own' || own)
}

/** Whether all held items are among the known rows; then any other row is not held by the user. */
function allOwnKnown({ known, counts, viewer }: ReviewList): boolean {
  let own = 0
  for (const { row } of known.values())
    if (row.state !== undefined && isHeld({ state: row.state }) && row.reviewerId === viewer.userId)
      own += 1
  return own === counts.mine
}

function leaveReason(
  list: ReviewList,
  row: Partial<ReviewRow>,
  event: LiveEvent,
  words: LeaveWords,
): string {
  const actor = event.actor?.userName ?? null
  if (list.tab === 'queue' && row.reviewerId)
    return words(
      row.reviewerId === list.viewer.userId ? 'claimedByYou' : 'claimed',
      row,
      row.reviewerName ?? actor,
    )
  return words(row.state === 'unclaimed' ? 'back' : 'moved', row, actor)
}

function received(
  known: Known | undefined,
  version: number,
  { fields }: EventFacts,
): Known | undefined {
  const base = known?.base ?? 0
  const fresh = Object.entries(fields).filter(
    ([field]) => version > base && version >= (known?.received[field] ?? 0),
  )
  if (!fresh.length) return known
  return {
    base,
    received: {
      ...known?.received,
      ...Object.fromEntries(fresh.map(([field]) => [field, version])),
    },
    row: { ...known?.row, ...Object.fromEntries(fresh) },
  }
}

function merged(known: Known | undefined, row: ReviewRow): Known {
  if (known && row.version < known.base) return known
  const newer = Object.entries(known?.received ?? {}).filter(([, version]) => version > row.version)
  const fields = Object.fromEntries(
    newer.map(([field]) => [field, known?.row[field as keyof ReviewRow]]),
  )
  return { base: row.version, received: Object.fromEntries(newer), row: { ...row, ...fields } }
}
