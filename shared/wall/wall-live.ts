import Type, { type Static } from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'
import {
  AlertLine,
  BoardHours,
  BoardQueues,
  BoardRun,
  BoardTiles,
  BoardWork,
  DayClose,
  FeedLine,
  RankingLine,
  StageLine,
  Thresholds,
} from './wall-api.ts'

/** A screen was paired, changed or revoked; it receives this in its own room and reads again. */
export const BOARD_CHANGED = liveEvent(
  'board.changed',
  Type.Object({ boardId: Type.String(), state: Type.String() }),
)

/**
 * What changed in a scope's figures since the last tick. Parts are sent whole, lines of stages and
 * of the ranking only when they changed.
 */
export const BOARD_TICK = liveEvent(
  'board.tick',
  Type.Object({
    scope: Type.String(),
    asOf: Type.String(),
    tiles: Type.Optional(BoardTiles),
    stageTable: Type.Optional(Type.Array(StageLine)),
    ranking: Type.Optional(Type.Array(RankingLine)),
    /** `kind:id` of removed ranking lines. */
    gone: Type.Optional(Type.Array(Type.String())),
    queues: Type.Optional(Type.Union([BoardQueues, Type.Null()])),
    work: Type.Optional(BoardWork),
    alerts: Type.Optional(Type.Array(AlertLine)),
    feed: Type.Optional(Type.Array(FeedLine)),
    run: Type.Optional(Type.Union([BoardRun, Type.Null()])),
    hours: Type.Optional(BoardHours),
    yesterday: Type.Optional(DayClose),
    thresholds: Type.Optional(Thresholds),
  }),
)
export type BoardTick = Static<(typeof BOARD_TICK)['data']>
