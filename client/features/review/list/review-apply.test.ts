import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { ReviewCounts, ReviewRow, ReviewTab, Viewer } from '../review-types.ts'
import {
  applyReviewEvents,
  emptyReviewList,
  type ReviewList,
  takeReviewPage,
} from './review-apply.ts'
import { belongsTo, type LiveFilters } from './review-tabs.ts'

const ME: Viewer = { userId: 'asha', codes: ['review_list:claim'], sees: 'own' }
const INSPECTOR: Viewer = { userId: 'ivy', codes: ['review_list:quality'], sees: 'decided' }
const LEADER: Viewer = { userId: 'lead', codes: [], sees: 'all' }
const T = '2026-11-20T06:00:00.000Z'
let seq = 0

function row(id: string, fields: Partial<ReviewRow> = {}): ReviewRow {
  return {
    reviewId: id,
    orderId: `O${id}`,
    userId: `C${id}`,
    userName: 'Priya Sharma',
    customerClass: 'new',
    amount: 800_000,
    state: 'unclaimed',
    machineId: 'M1',
    machineState: 'undecided',
    machineTime: T,
    machineIntervalSec: 4,
    needManual: true,
    manualId: null,
    manualResult: null,
    reviewerId: null,
    reviewerName: null,
    firstReviewerId: null,
    rejectCode: null,
    teleCallState: 'notExecuted',
    preRejectCode: null,
    quotaReject: false,
    bindState: 'bound',
    nameSimilarity: 9_100,
    quality: 'notChecked',
    qualityCode: null,
    qualityClass: null,
    appealState: null,
    handoverState: null,
    handoverId: null,
    handoverFrom: null,
    handoverTo: null,
    handoverToId: null,
    handoverReason: null,
    leaseUntil: null,
    token: 0,
    queuedTime: T,
    claimTime: null,
    finishTime: null,
    priority: 0,
    version: 1,
    ...fields,
  }
}

function event(type: string, version: number, data: Record<string, unknown>): LiveEvent {
  seq += 1
  return {
    seq,
    id: `e${seq}`,
    type,
    subject: `review:${String(data.reviewId)}`,
    time: T,
    actor: { userId: 'ben', userName: 'Ben' },
    version,
    data,
  }
}
const claimed = (id: string, version: number, by: string) =>
  event('review.claimed', version, {
    reviewId: id,
    reviewerId: by,
    reviewerName: by,
    leaseUntil: T,
    token: version,
    state: 'toAudit',
  })
const released = (id: string, version: number, cause = 'released', state = 'unclaimed') =>
  event('review.released', version, { reviewId: id, cause, state, token: version })
const queued = (id: string, version: number) =>
  event('review.queued', version, { reviewId: id, orderId: `O${id}`, priority: 0, queuedTime: T })
const moved = (
  id: string,
  version: number,
  from: string,
  to: string,
  more: Partial<ReviewRow> = {},
) =>
  event('review.state.changed', version, {
    reviewId: id,
    orderId: `O${id}`,
    from,
    to,
    reviewerId: null,
    firstReviewerId: null,
    manualResult: null,
    rejectCode: null,
    finishTime: null,
    ...more,
  })
const handover = (
  id: string,
  version: number,
  state: string,
  toUserId = 'asha',
  fromUserId = 'ben',
) =>
  event('review.handover.changed', version, {
    handoverId: 'H1',
    reviewId: id,
    fromUserId,
    toUserId,
    state,
    cause: null,
  })
const quality = (id: string, version: number, state: string) =>
  event('review.quality.changed', version, {
    reviewId: id,
    quality: state,
    qualityCode: 'A001',
    qualityClass: 'wrongPass',
    appealState: null,
  })

const counts = (rows: readonly ReviewRow[], viewer: Viewer): ReviewCounts => {
  const of = (tab: ReviewTab) => rows.filter((one) => belongsTo(tab, one, viewer)).length
  return { queue: of('queue'), mine: of('mine'), handover: of('handover'), quality: of('quality') }
}
const NO_STATS = emptyReviewList('queue', ME).stats
function listOf(
  tab: ReviewTab,
  viewer: Viewer,
  rows: readonly ReviewRow[],
  filters: LiveFilters = {},
): ReviewList {
  const shown = rows.filter((one) => belongsTo(tab, one, viewer))
  return takeReviewPage(emptyReviewList(tab, viewer, filters), {
    rows: shown,
    total: shown.length,
    asOf: T,
    counts: counts(rows, viewer),
    stats: NO_STATS,
  })
}
const words = (key: string) => key
const run = (list: ReviewList, ...events: LiveEvent[]) => applyReviewEvents(list, events, words)

test.each<
  [
    string,
    ReviewTab,
    Viewer,
    ReviewRow[],
    LiveEvent[],
    { kinds: string[]; counts?: Partial<ReviewCounts>; incomplete?: string[]; recount?: boolean },
  ]
>([
  [
    'a queued review is new in the queue and is refetched',
    'queue',
    ME,
    [],
    [queued('R1', 2)],
    { kinds: ['new R1'], counts: { queue: 1 }, incomplete: ['R1'] },
  ],
  [
    'a row claimed by a colleague leaves the queue',
    'queue',
    ME,
    [row('R1')],
    [claimed('R1', 2, 'ben'), moved('R1', 2, 'unclaimed', 'toAudit', { reviewerId: 'ben' })],
    { kinds: ['patch R1', 'leave R1'], counts: { queue: 0, mine: 0 } },
  ],
  [
    'a row the user claims leaves the queue and counts as own',
    'queue',
    ME,
    [row('R1')],
    [claimed('R1', 2, 'asha')],
    { kinds: ['patch R1', 'leave R1'], counts: { queue: 0, mine: 1 } },
  ],
  [
    'a claim on another page changes only the counts',
    'queue',
    ME,
    [],
    [claimed('R9', 7, 'ben'), moved('R9', 7, 'unclaimed', 'toAudit', { reviewerId: 'ben' })],
    { kinds: [], counts: { queue: -1, mine: 0 }, recount: false },
  ],
  [
    'a claim by the user elsewhere is new in the own tab and is refetched',
    'mine',
    ME,
    [],
    [claimed('R1', 2, 'asha')],
    { kinds: ['new R1'], incomplete: ['R1'], recount: true },
  ],
  [
    'a released item leaves the own tab and returns to the queue',
    'mine',
    ME,
    [row('R1', { state: 'toAudit', reviewerId: 'asha', token: 1 })],
    [released('R1', 2, 'expired'), queued('R1', 2)],
    { kinds: ['patch R1', 'leave R1'], counts: { queue: 1, mine: 0 } },
  ],
  [
    'an opened item is patched in place',
    'mine',
    ME,
    [row('R1', { state: 'toAudit', reviewerId: 'asha', token: 1 })],
    [moved('R1', 2, 'toAudit', 'underReview', { reviewerId: 'asha' })],
    { kinds: ['patch R1'], counts: { mine: 1 }, incomplete: ['R1'] },
  ],
  [
    'a lease warning is patched in place',
    'mine',
    ME,
    [row('R1', { state: 'underReview', reviewerId: 'asha', leaseUntil: null })],
    [event('review.lease.expiring', 2, { reviewId: 'R1', leaseUntil: T })],
    { kinds: ['patch R1'] },
  ],
  [
    'a decided item leaves the own tab and counts for quality',
    'mine',
    ME,
    [row('R1', { state: 'underReview', reviewerId: 'asha' })],
    [moved('R1', 2, 'underReview', 'audited', { reviewerId: 'asha', manualResult: 'passed' })],
    { kinds: ['patch R1', 'leave R1'], counts: { mine: 0, quality: 1 } },
  ],
  [
    'a taken-over item stays in the tab of all with its new holder',
    'all',
    LEADER,
    [row('R1', { state: 'underReview', reviewerId: 'asha', token: 1 })],
    [
      released('R1', 2, 'takenOver', 'toAudit'),
      claimed('R1', 2, 'lead'),
      moved('R1', 2, 'underReview', 'toAudit', { reviewerId: 'lead' }),
    ],
    { kinds: ['patch R1', 'patch R1', 'patch R1'], counts: { mine: 1 }, incomplete: ['R1'] },
  ],
  [
    'a requested hand-over appears and is refetched',
    'handover',
    LEADER,
    [row('R1', { state: 'toAudit', reviewerId: 'ben' })],
    [handover('R1', 2, 'pending')],
    { kinds: ['new R1'], counts: { handover: 1 }, incomplete: ['R1'], recount: false },
  ],
  [
    "a granted hand-over leaves the requester's tabs",
    'handover',
    ME,
    [
      row('R1', {
        state: 'toAudit',
        reviewerId: 'asha',
        token: 1,
        handoverState: 'pending',
        handoverToId: 'ben',
      }),
    ],
    [
      handover('R1', 2, 'approved', 'ben', 'asha'),
      claimed('R1', 2, 'ben'),
      moved('R1', 2, 'toAudit', 'toAudit', { reviewerId: 'ben' }),
    ],
    { kinds: ['patch R1', 'leave R1'], counts: { handover: 0, mine: 0 } },
  ],
  [
    'a hand-over between others is not shown',
    'handover',
    ME,
    [],
    [handover('R1', 2, 'pending', 'lead', 'ben')],
    { kinds: [], counts: { handover: 0 }, recount: false },
  ],
  [
    'a decided hand-over leaves',
    'handover',
    LEADER,
    [
      row('R1', {
        state: 'toAudit',
        reviewerId: 'ben',
        handoverState: 'pending',
        handoverToId: 'asha',
      }),
    ],
    [handover('R1', 2, 'rejected')],
    { kinds: ['patch R1', 'leave R1'], counts: { handover: 0 } },
  ],
  [
    'a quality result is patched in place',
    'quality',
    LEADER,
    [row('R1', { state: 'passed', manualResult: 'passed', reviewerId: 'ben', finishTime: T })],
    [quality('R1', 2, 'fail')],
    { kinds: ['patch R1'], counts: { quality: 1 }, incomplete: [] },
  ],
  [
    'a call state is patched in place',
    'mine',
    ME,
    [row('R1', { state: 'underReview', reviewerId: 'asha' })],
    [event('review.tele.changed', 2, { reviewId: 'R1', callState: 'executing' })],
    { kinds: ['patch R1'], incomplete: [] },
  ],
  [
    'the review of a cancelled order leaves the queue',
    'queue',
    ME,
    [row('R1')],
    [moved('R1', 2, 'unclaimed', 'unclaimed', { finishTime: T })],
    { kinds: ['patch R1', 'leave R1'], counts: { queue: 0 } },
  ],
  [
    "an escalated item stays in the reviewer's tab of all",
    'all',
    ME,
    [row('R1', { state: 'underReview', reviewerId: 'asha' })],
    [moved('R1', 2, 'underReview', 'manualCheck', { firstReviewerId: 'asha' })],
    { kinds: ['patch R1'] },
  ],
  [
    'an inspector sees no queue rows',
    'queue',
    INSPECTOR,
    [],
    [moved('R1', 2, 'initial', 'unclaimed'), queued('R1', 2)],
    { kinds: [], counts: { queue: 0 } },
  ],
  [
    'an inspector has no queue count',
    'quality',
    INSPECTOR,
    [row('R1')],
    [claimed('R1', 2, 'ben')],
    { kinds: [], counts: { queue: 0 } },
  ],
  [
    'an event older than the row is ignored',
    'queue',
    ME,
    [row('R1', { version: 5 })],
    [claimed('R1', 4, 'ben')],
    { kinds: [], counts: { queue: 1 } },
  ],
  [
    'an order event changes no review row',
    'queue',
    ME,
    [row('R1')],
    [event('order.status.changed', 3, { orderId: 'OR1', to: 70 })],
    { kinds: [], counts: { queue: 1 } },
  ],
])('%s', (_, tab, viewer, rows, events, expected) => {
  const done = run(listOf(tab, viewer, rows), ...events)
  expect(done.changes.map((change) => `${change.kind} ${change.id}`)).toEqual(expected.kinds)
  expect(done.list.counts).toMatchObject(expected.counts ?? {})
  if (expected.incomplete) expect([...done.incomplete]).toEqual(expected.incomplete)
  if (expected.recount !== undefined) expect(done.recount).toBe(expected.recount)
})

test('queue figures replace the shown ones, and missing figures stay', () => {
  const list = { ...listOf('queue', ME, []), stats: { ...NO_STATS, doneToday: 214, maxClaimed: 3 } }
  const { stats } = run(
    list,
    event('review.queue.stats', 0, { waiting: 37, oldestTime: T, held: 9, reviewersOnline: 6 }),
  ).list
  expect(stats).toEqual({
    ...NO_STATS,
    doneToday: 214,
    maxClaimed: 3,
    waiting: 37,
    oldestTime: T,
    held: 9,
    reviewersOnline: 6,
  })
})

test('a row that no longer matches a filter leaves', () => {
  const list = listOf('all', LEADER, [row('R1')], { state: ['unclaimed'] })
  expect(run(list, claimed('R1', 2, 'ben')).changes.map((change) => change.kind)).toEqual([
    'patch',
    'leave',
  ])
})

/** A small model of the review server: rows, and the events it would send for each step. */
class Model {
  readonly rows: Map<string, ReviewRow>
  constructor(size: number) {
    this.rows = new Map(
      Array.from({ length: size }, (_, i) => [
        `R${i}`,
        row(`R${i}`, { state: i % 3 ? 'unclaimed' : 'initial' }),
      ]),
    )
  }
  step(id: string, action: string, who: string): LiveEvent[] {
    const was = this.rows.get(id) as ReviewRow
    const version = was.version + 1
    const put = (fields: Partial<ReviewRow>) => this.rows.set(id, { ...was, ...fields, version })
    const held = was.state === 'toAudit' || was.state === 'underReview'
    const freed = {
      state: 'unclaimed',
      reviewerId: null,
      reviewerName: null,
      leaseUntil: null,
      token: version,
    } as const
    if (action === 'queue' && was.state === 'initial') {
      put({ state: 'unclaimed', queuedTime: T, machineState: 'undecided' })
      return [moved(id, version, 'initial', 'unclaimed'), queued(id, version)]
    }
    if (action === 'claim' && was.state === 'unclaimed') {
      const first = was.firstReviewerId ?? who
      put({
        state: 'toAudit',
        firstReviewerId: first,
        reviewerId: who,
        reviewerName: who,
        leaseUntil: T,
        token: version,
        claimTime: `${T}${version}`,
      })
      return [
        claimed(id, version, who),
        moved(id, version, 'unclaimed', 'toAudit', { reviewerId: who, firstReviewerId: first }),
      ]
    }
    if (action === 'release' && held) {
      put({ ...freed, ...closed(was) })
      return [...this.closing(was, version), released(id, version), queued(id, version)]
    }
    if (action === 'open' && was.state === 'toAudit') {
      put({ state: 'underReview' })
      return [
        moved(id, version, 'toAudit', 'underReview', {
          reviewerId: was.reviewerId,
          firstReviewerId: was.firstReviewerId,
        }),
      ]
    }
    if (action === 'offer' && held && was.handoverState !== 'pending') {
      put({
        handoverState: 'pending',
        handoverId: 'H1',
        handoverToId: who,
        handoverFrom: 'x',
        handoverTo: who,
        handoverReason: 'shift ends',
      })
      return [handover(id, version, 'pending', who, was.reviewerId ?? '')]
    }
    if (action === 'decide' && was.state === 'underReview') {
      put({
        state: 'audited',
        manualResult: 'passed',
        leaseUntil: null,
        manualId: `D${version}`,
        ...closed(was),
      })
      return [
        ...this.closing(was, version),
        moved(id, version, 'underReview', 'audited', {
          reviewerId: was.reviewerId,
          firstReviewerId: was.firstReviewerId,
          manualResult: 'passed',
        }),
      ]
    }
    if (action === 'check' && was.state === 'audited') {
      put({ quality: 'fail', qualityCode: 'A001', qualityClass: 'wrongPass' })
      return [quality(id, version, 'fail')]
    }
    return []
  }
  closing(was: ReviewRow, version: number): LiveEvent[] {
    return was.handoverState === 'pending'
      ? [handover(was.reviewId, version, 'rejected', was.handoverToId ?? '', was.reviewerId ?? '')]
      : []
  }
}
const closed = (was: ReviewRow): Partial<ReviewRow> =>
  was.handoverState === 'pending'
    ? {
        handoverState: 'rejected',
        handoverId: null,
        handoverToId: null,
        handoverFrom: null,
        handoverTo: null,
        handoverReason: null,
      }
    : {}

test('after any history the list equals a refetch, except for rows reported as incomplete', () => {
  const action = fc.record({
    id: fc.nat(4),
    action: fc.constantFrom('queue', 'claim', 'release', 'open', 'offer', 'decide', 'check'),
    who: fc.constantFrom('asha', 'ben', 'lead'),
    pause: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.constantFrom<ReviewTab>('queue', 'mine', 'all', 'handover', 'quality'),
      fc.constantFrom(ME, LEADER, INSPECTOR),
      fc.array(action, { maxLength: 25 }),
      (tab, viewer, steps) => {
        const model = new Model(5)
        let list = listOf(tab, viewer, [...model.rows.values()])
        const shown = new Set(list.page)
        const wanted = new Set<string>()
        let recount = false
        let batch: LiveEvent[] = []
        const flush = () => {
          const done = run(list, ...batch)
          batch = []
          list = done.list
          recount ||= done.recount
          for (const change of done.changes) {
            if (change.kind === 'leave') shown.delete(change.id)
            if (change.kind === 'new') wanted.add(change.id)
          }
          for (const id of done.incomplete) wanted.add(id)
        }
        for (const step of steps) {
          batch.push(...model.step(`R${step.id}`, step.action, step.who))
          if (step.pause) flush()
        }
        flush()
        const fresh = [...model.rows.values()].filter((one) => belongsTo(tab, one, viewer))
        for (const one of fresh) {
          expect(
            shown.has(one.reviewId) || wanted.has(one.reviewId),
            `${one.reviewId} is missing`,
          ).toBe(true)
          if (shown.has(one.reviewId) && !wanted.has(one.reviewId))
            expect({ ...list.known.get(one.reviewId)?.row, version: 0 }).toEqual({
              ...one,
              version: 0,
            })
        }
        for (const id of shown)
          expect(
            fresh.some((one) => one.reviewId === id),
            `${id} should have left`,
          ).toBe(true)
        if (!recount) expect(list.counts).toEqual(counts([...model.rows.values()], viewer))
      },
    ),
    { numRuns: 3_000 },
  )
})
