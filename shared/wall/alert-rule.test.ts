import { expect, test } from 'vitest'
import {
  alertSteps,
  type Breach,
  breachesOf,
  minutesSince,
  type StoredAlert,
} from './alert-rule.ts'
import type { BoardFigures, Thresholds } from './wall-api.ts'

const NOON = '2026-11-20T06:30:00.000Z'
const LIMITS: Thresholds = {
  target: null,
  ptpKept: 7_000,
  unallocatedMinutes: 30,
  reviewMinutes: 10,
  disburseFailed: 5,
}
const at = (minutes: number): string => new Date(Date.parse(NOON) - minutes * 60_000).toISOString()
function figures(
  tiles: Partial<BoardFigures['tiles']>,
  queues: Partial<NonNullable<BoardFigures['queues']>> | null = {},
): Pick<BoardFigures, 'tiles' | 'queues'> {
  const none: BoardFigures['tiles'] = {
    openCases: 0,
    unallocated: 0,
    unallocatedOldest: null,
    outstanding: 0,
    recoveredToday: 0,
    recoveredCount: 0,
    target: null,
    ptpToday: 0,
    ptpTodayAmount: 0,
    ptpKeptRate: null,
    ptpDecided: 0,
    calls: 0,
    contacted: 0,
    reachRate: null,
    online: 0,
    onDuty: 0,
  }
  return {
    tiles: { ...none, ...tiles },
    queues:
      queues === null
        ? null
        : {
            reviewWaiting: 0,
            reviewOldestTime: null,
            ticketsOpen: 0,
            disburseFailed: 0,
            ...queues,
          },
  }
}

test.each([
  ['nothing waits', figures({}), []],
  ['a case that waits exactly the limit is in range', figures({ unallocatedOldest: at(30) }), []],
  [
    'a case that waits a minute longer raises a warning',
    figures({ unallocatedOldest: at(31) }),
    [{ key: 'unallocatedAge', level: 'warning', value: 31 }],
  ],
  [
    'a case that waits more than twice the limit is critical',
    figures({ unallocatedOldest: at(61) }),
    [{ key: 'unallocatedAge', level: 'critical', value: 61 }],
  ],
  [
    'too few promises kept exceeds the limit',
    figures({ ptpKeptRate: 6_999, ptpDecided: 10 }),
    [{ key: 'ptpKept', level: 'warning', value: 6_999 }],
  ],
  [
    'too few kept of a handful of promises is not significant',
    figures({ ptpKeptRate: 0, ptpDecided: 9 }),
    [],
  ],
  [
    'a waiting review and failed disbursements exceed their limits',
    figures({}, { reviewOldestTime: at(25), disburseFailed: 6 }),
    [
      { key: 'reviewAge', level: 'critical', value: 25 },
      { key: 'disburseFailed', level: 'warning', value: 6 },
    ],
  ],
  ['a unit has no limits on queues of the company', figures({}, null), []],
] satisfies [string, Pick<BoardFigures, 'tiles' | 'queues'>, Breach[]][])(
  '%s',
  (_what, now, breaches) => {
    expect(breachesOf(now, LIMITS, NOON)).toEqual(breaches)
  },
)

test('a limit that is off is never exceeded', () => {
  const off: Thresholds = {
    target: null,
    ptpKept: null,
    unallocatedMinutes: null,
    reviewMinutes: null,
    disburseFailed: null,
  }
  expect(
    breachesOf(
      figures(
        { unallocatedOldest: at(999), ptpKeptRate: 0, ptpDecided: 50 },
        { reviewOldestTime: at(999), disburseFailed: 99 },
      ),
      off,
      NOON,
    ),
  ).toEqual([])
})

const breach: Breach = { key: 'unallocatedAge', level: 'warning', value: 31 }
const stored = (more: Partial<StoredAlert> = {}): StoredAlert => ({
  key: 'unallocatedAge',
  level: 'warning',
  value: 31,
  backAt: null,
  ...more,
})
test.each([
  ['raised in working hours', [], [breach], NOON, [{ do: 'raise', breach }]],
  ['not raised at night', [], [breach], '2026-11-20T15:00:00.000Z', []],
  ['not raised before eight', [], [breach], '2026-11-20T02:29:00.000Z', []],
  ['unchanged while nothing changes', [stored()], [breach], NOON, []],
  [
    'updated with the new value',
    [stored({ value: 30 })],
    [breach],
    NOON,
    [{ do: 'update', breach }],
  ],
  ['calmed when back in range', [stored()], [], NOON, [{ do: 'calm', key: 'unallocatedAge' }]],
  [
    'unchanged when back in range for less than two minutes',
    [stored({ backAt: at(1) })],
    [],
    NOON,
    [],
  ],
  [
    'ended when back in range for two minutes',
    [stored({ backAt: at(2) })],
    [],
    NOON,
    [{ do: 'end', key: 'unallocatedAge' }],
  ],
  [
    'continued when the limit is exceeded again meanwhile',
    [stored({ backAt: at(1) })],
    [breach],
    NOON,
    [{ do: 'update', breach }],
  ],
] satisfies [string, StoredAlert[], Breach[], string, ReturnType<typeof alertSteps>][])(
  'an alert is %s',
  (_what, alerts, breaches, now, steps) => {
    expect(alertSteps(alerts, breaches, now)).toEqual(steps)
  },
)

test('minutes are whole and never negative', () => {
  expect([minutesSince(null, NOON), minutesSince(at(2), NOON), minutesSince(at(-5), NOON)]).toEqual(
    [null, 2, 0],
  )
})
