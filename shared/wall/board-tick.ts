/** The difference between two readings of a board and its application. Pure, for both sides. */
import type { BoardFigures } from './wall-api.ts'
import type { BoardTick } from './wall-live.ts'

const WHOLE = [
  'tiles',
  'queues',
  'work',
  'alerts',
  'feed',
  'run',
  'hours',
  'yesterday',
  'thresholds',
] as const
type Ranking = BoardFigures['ranking'][number]

/**
 * What readers of any of the `before` figures need to reach `after`; null when nothing differs.
 * @param before the figures sent last, and those handed out since
 */
export function tickOf(
  scope: string,
  before: readonly BoardFigures[],
  after: BoardFigures,
): BoardTick | null {
  const tick: BoardTick = { scope, asOf: after.asOf }
  const differs = <Part>(part: (figures: BoardFigures) => Part, now: Part): boolean =>
    before.some((one) => JSON.stringify(part(one)) !== JSON.stringify(now))
  for (const name of WHOLE)
    if (differs((one) => one[name], after[name])) Object.assign(tick, { [name]: after[name] })
  const stages = after.stageTable.filter((line) =>
    differs((one) => one.stageTable.find((other) => other.stageId === line.stageId), line),
  )
  if (stages.length > 0) tick.stageTable = stages
  const ranking = after.ranking.filter((line) =>
    differs((one) => one.ranking.find((other) => keyOf(other) === keyOf(line)), line),
  )
  if (ranking.length > 0) tick.ranking = ranking
  const kept = new Set(after.ranking.map(keyOf))
  const gone = [...new Set(before.flatMap((one) => one.ranking.map(keyOf)))].filter(
    (key) => !kept.has(key),
  )
  if (gone.length > 0) tick.gone = gone
  return Object.keys(tick).length > 2 ? tick : null
}

/** The figures after a tick; a tick that is not newer than the figures changes nothing. */
export function applyTick(figures: BoardFigures, tick: BoardTick): BoardFigures {
  if (tick.asOf <= figures.asOf) return figures
  const next: BoardFigures = { ...figures, asOf: tick.asOf }
  for (const name of WHOLE)
    if (tick[name] !== undefined) Object.assign(next, { [name]: tick[name] })
  if (tick.stageTable) {
    const changed = new Map(tick.stageTable.map((line) => [line.stageId, line]))
    next.stageTable = figures.stageTable.map((line) => changed.get(line.stageId) ?? line)
  }
  if (tick.ranking || tick.gone) {
    const lines = new Map(figures.ranking.map((line) => [keyOf(line), line]))
    for (const key of tick.gone ?? []) lines.delete(key)
    for (const line of tick.ranking ?? []) lines.set(keyOf(line), line)
    next.ranking = [...lines.values()].toSorted(byKindAndRank)
  }
  return next
}

const KIND_ORDER: Record<Ranking['kind'], number> = { agency: 0, group: 1, collector: 2 }
export function byKindAndRank(a: Ranking, b: Ranking): number {
  return KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || a.rank - b.rank
}

function keyOf({ kind, id }: Ranking): string {
  return `${kind}:${id}`
}
