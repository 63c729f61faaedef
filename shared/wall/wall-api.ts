import Type, { type Static } from 'typebox'
import {
  endpoint,
  Id,
  Nothing,
  Nullable,
  OneOf,
  Paise,
  Text,
  Version,
} from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import {
  ALERT_KEYS,
  ALERT_LEVELS,
  BOARD_STATES,
  BOARD_UNITS,
  CODE_PATTERN,
  PAIR_UNITS,
  RANKING_KINDS,
  WALL_PROFILES,
  WALL_SCENES,
  WALL_THEMES,
} from './wall-sets.ts'

/**
 * The collection board and its wall screens. Amounts in paise, rates in basis points, times ISO
 * 8601 UTC.
 */
const strict = { additionalProperties: false }
const count = Type.Integer()
const time = Type.String()
const maybe = Nullable(Type.String())
const HOURS = 24
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

export const BoardTiles = Type.Object({
  openCases: count,
  unallocated: count,
  /** Since when the oldest case without a holder waits. */
  unallocatedOldest: maybe,
  outstanding: count,
  recoveredToday: count,
  recoveredCount: count,
  /** The unit's part of the day's target; null = no target is set. */
  target: Nullable(count),
  ptpToday: count,
  ptpTodayAmount: count,
  /** Kept, of the promises decided in the last seven days; null = none was. */
  ptpKeptRate: Nullable(count),
  ptpDecided: count,
  calls: count,
  contacted: count,
  /** Of today's contacts, those that reached a person; null = no contact yet. */
  reachRate: Nullable(count),
  online: count,
  onDuty: count,
})

export const StageLine = Type.Object({
  stageId: Type.String(),
  cases: count,
  outstanding: count,
  recovered: count,
  recoveryRate: count,
})

export const RankingLine = Type.Object({
  kind: OneOf(RANKING_KINDS),
  id: Type.String(),
  /** Initials for a person. */
  name: Type.String(),
  onDuty: count,
  contactRate: Nullable(count),
  recovered: count,
  target: Nullable(count),
  cases: count,
  rank: count,
})

export const FeedLine = Type.Object({
  time,
  kind: OneOf(['allocated', 'paid']),
  collectorName: maybe,
  stageId: maybe,
  count,
  amount: count,
})

export const AlertLine = Type.Object({
  key: OneOf(ALERT_KEYS),
  level: OneOf(ALERT_LEVELS),
  value: count,
  since: time,
  ackBy: maybe,
})

export const BoardQueues = Type.Object({
  reviewWaiting: count,
  reviewOldestTime: maybe,
  ticketsOpen: count,
  disburseFailed: count,
})

export const BoardWork = Type.Object({ dueNow: count, notContacted: count, held: count })

export const BoardRun = Type.Object({
  runId: Type.String(),
  state: Type.String(),
  done: count,
  total: count,
  failed: count,
})

/** Paise recovered in each hour of an IST day; hours to come are left out. */
export const BoardHours = Type.Object({
  today: Type.Array(count, { maxItems: HOURS }),
  yesterday: Type.Array(count, { maxItems: HOURS }),
  weekAgo: Type.Array(count, { maxItems: HOURS }),
})

/** The day before, for the hours in which calls are not allowed yet. */
export const DayClose = Type.Object({ day: Type.String(), recovered: count })

export const BoardScope = Type.Object({
  unit: OneOf(BOARD_UNITS),
  id: maybe,
  name: maybe,
  stageId: maybe,
})

/** Limits of a unit; null = not watched. */
export const Thresholds = Type.Object(
  {
    /** The day's target of the unit in paise. */
    target: Nullable(Paise({ minimum: 0 })),
    /** Lowest share of promises kept, basis points. */
    ptpKept: Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
    unallocatedMinutes: Nullable(Type.Integer({ minimum: 1, maximum: 10_080 })),
    reviewMinutes: Nullable(Type.Integer({ minimum: 1, maximum: 10_080 })),
    disburseFailed: Nullable(Type.Integer({ minimum: 1, maximum: 100_000 })),
  },
  strict,
)
export type Thresholds = Static<typeof Thresholds>

export const BoardSettings = Type.Object(
  {
    profile: OneOf(WALL_PROFILES),
    scenes: Type.Array(OneOf(WALL_SCENES), {
      minItems: 1,
      maxItems: WALL_SCENES.length,
      uniqueItems: true,
    }),
    rotateSec: Type.Integer({ minimum: 5, maximum: 600 }),
    theme: OneOf(WALL_THEMES),
    /** Lines of people (their initials) on the ranking. */
    people: Type.Boolean(),
    /** Null: by the screen's browser. */
    language: Nullable(OneOf(LANGUAGES)),
    /** Hours in which the picture is dark, `HH:MM` IST, both or none; they may cross midnight. */
    sleepFrom: Type.Optional(clock),
    sleepTo: Type.Optional(clock),
  },
  strict,
)
export type BoardSettings = Static<typeof BoardSettings>

export const BoardFigures = Type.Object({
  scope: BoardScope,
  tiles: BoardTiles,
  stageTable: Type.Array(StageLine),
  ranking: Type.Array(RankingLine),
  /** Queues of the whole company: null for a unit of it. */
  queues: Nullable(BoardQueues),
  work: BoardWork,
  alerts: Type.Array(AlertLine),
  feed: Type.Array(FeedLine),
  run: Nullable(BoardRun),
  hours: BoardHours,
  yesterday: DayClose,
  thresholds: Thresholds,
  asOf: time,
  /** The calling screen; null for a person. */
  screen: Nullable(
    Type.Object({ boardId: Type.String(), name: Type.String(), settings: BoardSettings }),
  ),
})
export type BoardFigures = Static<typeof BoardFigures>

export const readBoard = endpoint({
  method: 'GET',
  path: '/collection/board',
  access: ['loaned_board:view'],
  screens: true,
  menu: 'loaned_board',
  /** Ids narrow the caller's own unit; a screen shows what it was paired for. */
  input: Type.Object({
    agencyId: Type.Optional(Id()),
    stageId: Type.Optional(Id()),
    appVersion: Type.Optional(Text(1, 40)),
  }),
  data: BoardFigures,
  summary: 'Figures of collection now; live by board.tick',
})

export const startPairing = endpoint({
  method: 'POST',
  path: '/board/pair/start',
  access: 'none',
  input: Type.Object({ profile: OneOf(WALL_PROFILES), appVersion: Text(1, 40) }, strict),
  data: Type.Object({ code: Type.String(), pollSecret: Type.String(), expiresAt: time }),
  summary: 'Creates a pairing code for a wall screen',
})

export const pollPairing = endpoint({
  method: 'POST',
  path: '/board/pair/poll',
  access: 'none',
  input: Type.Object({ pollSecret: Text(20, 100) }, strict),
  data: Type.Object({
    state: OneOf(['waiting', 'active', 'expired']),
    token: Type.Optional(Type.String()),
  }),
  summary: 'Whether the screen was approved; returns its token until one was used',
})

const BoardRow = Type.Object({
  boardId: Type.String(),
  name: Type.String(),
  unit: OneOf(PAIR_UNITS),
  unitId: maybe,
  unitName: maybe,
  stageId: maybe,
  settings: BoardSettings,
  state: OneOf(BOARD_STATES),
  pairedBy: Type.String(),
  pairTime: time,
  lastSeen: maybe,
  appVersion: Type.String(),
  version: Type.Integer(),
})

export const approvePairing = endpoint({
  method: 'POST',
  path: '/board/pair/approve',
  access: ['loaned_board:pair'],
  menu: 'loaned_board',
  input: Type.Object(
    {
      code: Type.String({ minLength: 6, maxLength: 6, pattern: CODE_PATTERN }),
      name: Text(1, 40),
      /** Absent: the caller's own unit. */
      agencyId: Type.Optional(Id()),
      stageId: Type.Optional(Id()),
      profile: OneOf(WALL_PROFILES),
      language: Type.Optional(OneOf(LANGUAGES)),
    },
    strict,
  ),
  data: Type.Object({ boardId: Type.String() }),
  audit: 'pair',
  summary: 'Pairs the screen that shows the code',
})

export const listBoards = endpoint({
  method: 'GET',
  path: '/board/list',
  access: ['loaned_board:pair'],
  menu: 'loaned_board',
  input: ListInput({ state: Type.Optional(OneOf(BOARD_STATES)), name: Type.Optional(Text(1, 40)) }),
  data: ListData(BoardRow),
  summary: 'Wall screens of the unit',
})

export const editBoard = endpoint({
  method: 'POST',
  path: '/board/edit',
  access: ['loaned_board:pair'],
  menu: 'loaned_board',
  input: Type.Object(
    { boardId: Id(), version: Version(), name: Text(1, 40), ...BoardSettings.properties },
    strict,
  ),
  data: BoardRow,
  audit: 'edit',
  summary: 'Name, scenes, rotation and look of a screen; applies at once',
})

export const revokeBoards = endpoint({
  method: 'POST',
  path: '/board/revoke',
  access: ['loaned_board:pair'],
  menu: 'loaned_board',
  input: Type.Object(
    { boardIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }) },
    strict,
  ),
  data: BulkData(),
  audit: 'revoke',
  summary: 'Revokes screens: their tokens end and they show a new code',
})

/** Absent: the caller's own unit. */
const ofAgency = { agencyId: Type.Optional(Id()) }

export const ackAlert = endpoint({
  method: 'POST',
  path: '/board/ack',
  access: ['loaned_board:ack'],
  menu: 'loaned_board',
  input: Type.Object({ alertKey: OneOf(ALERT_KEYS), ...ofAgency }, strict),
  data: Nothing(),
  audit: 'ack',
  summary: "Acknowledges an alert: hidden on the unit's boards until it is back in range",
})

export const saveThresholds = endpoint({
  method: 'POST',
  path: '/board/thresholds',
  access: ['loaned_board:pair'],
  menu: 'loaned_board',
  input: Type.Object({ ...Thresholds.properties, ...ofAgency }, strict),
  data: Thresholds,
  audit: 'thresholds',
  summary: 'Target and limits of a unit',
})

export type BoardRow = Static<typeof BoardRow>
