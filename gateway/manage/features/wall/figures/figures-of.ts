/** From the facts to the figures of one scope: pure sums, so each further scope costs little. */
import { byKindAndRank } from '#shared/wall/board-tick.ts'
import type { BoardFigures, Thresholds } from '#shared/wall/wall-api.ts'
import type { RankingKind } from '#shared/wall/wall-sets.ts'
import { addDays } from '#shared/kernel/time.ts'
import { type Scope, type Unit, unitKey } from '../board-scope.ts'
import type { BoardFacts, Place } from './board-facts.ts'

type Ranking = BoardFigures['ranking'][number]

const FEED_LINES = 8
/** Lines of each kind in the ranking. */
const MOST_LINES = 12
const FULL = 10_000

/** @param usual limits of a unit that set none */
export function figuresOf(facts: BoardFacts, scope: Scope, usual: Thresholds): BoardFigures {
  const inUnit = unitTest(scope)
  const ofStage = (stageId: string | null): boolean =>
    scope.stageId === null || stageId === scope.stageId
  const within = <Line extends [...Place, string, ...unknown[]]>(lines: readonly Line[]): Line[] =>
    lines.filter((line) => inUnit(line) && ofStage(line[4]))
  const cases = within(facts.cases)
  const promises = within(facts.promises)
  const contacts = within(facts.contacts)
  const people = facts.people.filter(inUnit)
  const hours = within(facts.hours)
  const paid = hours.filter((line) => line[5] === facts.today)
  const thresholds = facts.limits[unitKey(scope)] ?? usual
  const target = targetOf(facts, scope, thresholds, cases)
  const recoveredToday = sum(paid, 7)
  const decided = sum(promises, 6)
  const contactCount = sum(contacts, 5)
  return {
    scope: { unit: scope.unit, id: scope.id, name: nameOf(facts, scope), stageId: scope.stageId },
    tiles: {
      openCases: sum(cases, 6),
      unallocated: sum(cases, 7),
      unallocatedOldest: cases.reduce<string | null>(
        (oldest, line) =>
          line[8] !== null && (oldest === null || line[8] < oldest) ? line[8] : oldest,
        null,
      ),
      outstanding: sum(cases, 9),
      recoveredToday,
      recoveredCount: sum(paid, 8),
      target,
      ptpToday: sum(cases, 10),
      ptpTodayAmount: sum(cases, 11),
      ptpKeptRate: decided === 0 ? null : rate(sum(promises, 5), decided),
      ptpDecided: decided,
      calls: sum(within(facts.calls), 5),
      contacted: sum(cases, 12),
      reachRate: contactCount === 0 ? null : rate(sum(contacts, 6), contactCount),
      online: people.filter((person) => person[5] && person[6]).length,
      onDuty: people.filter((person) => person[5]).length,
    },
    stageTable: facts.stages
      .filter(({ stageId }) => ofStage(stageId))
      .map(({ stageId }) => {
        const lines = cases.filter((line) => line[4] === stageId)
        const recovered = sum(
          paid.filter((line) => line[4] === stageId),
          7,
        )
        const outstanding = sum(lines, 9)
        return {
          stageId,
          cases: sum(lines, 6),
          outstanding,
          recovered,
          recoveryRate:
            recovered + outstanding === 0 ? 0 : rate(recovered, recovered + outstanding),
        }
      }),
    ranking: rankingOf(facts, scope, { cases, people, paid }, target),
    queues: scope.unit === 'all' ? facts.queues : null,
    work: { dueNow: sum(cases, 13), notContacted: sum(cases, 14), held: sum(cases, 15) },
    alerts: facts.alerts
      .filter((alert) => alert.unitKey === unitKey(scope))
      .map(({ key, level, value, since, ackBy }) => ({ key, level, value, since, ackBy })),
    feed: feedOf(facts, scope),
    run: runOf(facts, scope),
    hours: {
      today: hoursOf(hours, facts.today, hourOf(facts.asOf)),
      yesterday: hoursOf(hours, addDays(facts.today, -1), 23),
      weekAgo: hoursOf(hours, addDays(facts.today, -7), 23),
    },
    yesterday: {
      day: addDays(facts.today, -1),
      recovered: hours
        .filter((line) => line[5] === addDays(facts.today, -1))
        .reduce((all, line) => all + line[7], 0),
    },
    thresholds,
    asOf: facts.asOf,
    screen: null,
  }
}

/** The target of a scope alone, without the rest of its figures. */
export function targetIn(facts: BoardFacts, scope: Scope, usual: Thresholds): number | null {
  const inUnit = unitTest(scope)
  const cases = facts.cases.filter(
    (line) => inUnit(line) && (scope.stageId === null || line[4] === scope.stageId),
  )
  return targetOf(facts, scope, facts.limits[unitKey(scope)] ?? usual, cases)
}

/** Whether a place is inside the unit; a unit the person lacks contains nothing. */
function unitTest({ unit, id }: Unit): (line: readonly [...Place, ...unknown[]]) => boolean {
  if (unit === 'all') return () => true
  const at = { agency: 0, department: 1, group: 2, own: 3 }[unit]
  return (line) => id !== null && line[at] === id
}

function nameOf(facts: BoardFacts, { unit, id }: Scope): string | null {
  const list =
    unit === 'agency'
      ? facts.agencies
      : unit === 'department'
        ? facts.departments
        : unit === 'group'
          ? facts.groups
          : []
  return list.find((one) => one.id === id)?.name ?? null
}

/**
 * The unit's own target, else its share of the company's by the cases of today; null when none is
 * set.
 */
function targetOf(
  facts: BoardFacts,
  scope: Scope,
  limits: Thresholds,
  cases: BoardFacts['cases'],
): number | null {
  const own = scope.unit === 'all' ? null : limits.target
  const stages = facts.stages.filter(
    ({ stageId }) => scope.stageId === null || stageId === scope.stageId,
  )
  if (own !== null && scope.stageId === null) return own
  const had = sum(cases, 5)
  if (own !== null) return part(own, had, sum(facts.cases.filter(unitTest(scope)), 5))
  const company = facts.limits.all?.target ?? null
  if (company !== null) return part(company, had, sum(facts.cases, 5))
  const byStage = stages.reduce(
    (all, { stageId, target }) =>
      all +
      part(
        target,
        sum(
          cases.filter((line) => line[4] === stageId),
          5,
        ),
        sum(
          facts.cases.filter((line) => line[4] === stageId),
          5,
        ),
      ),
    0,
  )
  return byStage === 0 ? null : byStage
}

/** Sums of one ranking line. */
interface Field {
  cases: BoardFacts['cases']
  people: BoardFacts['people']
  /** Payments of today. */
  paid: BoardFacts['hours']
}

function rankingOf(
  facts: BoardFacts,
  scope: Scope,
  field: Field,
  target: number | null,
): Ranking[] {
  const had = sum(field.cases, 5)
  const kinds: RankingKind[] =
    scope.unit === 'all'
      ? ['agency', 'group', 'collector']
      : scope.unit === 'group' || scope.unit === 'own'
        ? ['collector']
        : ['group', 'collector']
  const lines = kinds.flatMap((kind) => {
    // a collector's rank is within the group, though they see only their own line
    const among = scope.unit === 'own' ? groupOf(facts, scope) : field
    const at = { agency: 0, group: 2, collector: 3 }[kind] as 0 | 2 | 3
    const ranked = unitsOf(facts, kind, among.people)
      .map(({ id, name }) => {
        const own = among.cases.filter((line) => line[at] === id)
        const contacted = sum(own, 12)
        const ownHad = sum(own, 5)
        return {
          kind,
          id,
          name,
          onDuty: among.people.filter((person) => person[at] === id && person[5]).length,
          contactRate: ownHad === 0 ? null : rate(Math.min(contacted, ownHad), ownHad),
          recovered: sum(
            among.paid.filter((line) => line[at] === id),
            7,
          ),
          target: target === null ? null : part(target, ownHad, had),
          cases: sum(own, 6),
          rank: 0,
        }
      })
      .filter((line) => line.cases > 0 || line.recovered > 0 || line.onDuty > 0)
      .toSorted(
        (a, b) =>
          b.recovered - a.recovered ||
          (b.contactRate ?? 0) - (a.contactRate ?? 0) ||
          b.cases - a.cases ||
          (a.id < b.id ? -1 : 1),
      )
      .map((line, n) => ({ ...line, rank: n + 1 }))
    return scope.unit === 'own'
      ? ranked.filter((line) => line.id === scope.id)
      : ranked.slice(0, MOST_LINES)
  })
  return lines.toSorted(byKindAndRank)
}

function groupOf(facts: BoardFacts, { id }: Scope): Field {
  const group = facts.people.find((person) => person[3] === id)?.[2] ?? null
  const test = unitTest({ unit: 'group', id: group })
  return {
    cases: facts.cases.filter(test),
    people: facts.people.filter(test),
    paid: facts.hours.filter((line) => line[5] === facts.today && test(line)),
  }
}

function unitsOf(
  facts: BoardFacts,
  kind: RankingKind,
  people: BoardFacts['people'],
): { id: string; name: string }[] {
  if (kind === 'agency') return facts.agencies
  if (kind === 'group')
    return facts.groups.filter(({ id }) => people.some((person) => person[2] === id))
  // told apart among all, so that a person has the same letters in every scope
  const names = shortNames(facts.people)
  return people.map((person) => ({ id: person[3] ?? '', name: names.get(person[3]) ?? '' }))
}

function feedOf(facts: BoardFacts, scope: Scope): BoardFigures['feed'] {
  const inUnit = unitTest(scope)
  const names = shortNames(facts.people)
  const shown = (line: readonly [...Place, string | null, ...unknown[]]): boolean =>
    inUnit(line) && (scope.stageId === null || line[4] === scope.stageId)
  const paid = facts.paid.filter(shown).map((line) => ({
    time: line[5],
    kind: 'paid' as const,
    collectorName: line[3] === null ? null : (names.get(line[3]) ?? null),
    stageId: line[4],
    count: 1,
    amount: line[6],
  }))
  const given = facts.given.filter(shown).map((line) => ({
    time: line[5],
    kind: 'allocated' as const,
    collectorName: names.get(line[3]) ?? null,
    stageId: line[4],
    count: line[6],
    amount: line[7],
  }))
  return [...paid, ...given].toSorted((a, b) => (a.time < b.time ? 1 : -1)).slice(0, FEED_LINES)
}

/** A run of the unit, or one of the whole company, which moves its cases too. */
function runOf(facts: BoardFacts, { unit, id, stageId }: Scope): BoardFigures['run'] {
  const run = facts.runs.find(
    (one) =>
      (one.unitKind === 'all' || unit === 'all' || (one.unitKind === unit && one.unitId === id)) &&
      (stageId === null || one.stageIds.includes(stageId)),
  )
  return run
    ? { runId: run.runId, state: run.state, done: run.done, total: run.total, failed: run.failed }
    : null
}

function hoursOf(lines: BoardFacts['hours'], day: string, last: number): number[] {
  const amounts = Array.from({ length: last + 1 }, () => 0)
  for (const line of lines)
    if (line[5] === day && line[6] <= last) amounts[line[6]] = (amounts[line[6]] ?? 0) + line[7]
  return amounts
}

/** Hour of the IST day. */
function hourOf(instant: string): number {
  return new Date(Date.parse(instant) + 5.5 * 3_600_000).getUTCHours()
}

/** Initials of each person; people with the same ones also have a number, in the order of their ids. */
function shortNames(people: BoardFacts['people']): Map<string | null, string> {
  const counts = new Map<string, number>()
  for (const [, , , , name] of people) {
    const initials = initialsOf(name)
    counts.set(initials, (counts.get(initials) ?? 0) + 1)
  }
  const seen = new Map<string, number>()
  return new Map(
    people
      .toSorted((a, b) => ((a[3] ?? '') < (b[3] ?? '') ? -1 : 1))
      .map(([, , , id, name]) => {
        const initials = initialsOf(name)
        if ((counts.get(initials) ?? 0) < 2) return [id, initials]
        const n = (seen.get(initials) ?? 0) + 1
        seen.set(initials, n)
        return [id, `${initials} ${n}`]
      }),
  )
}

/** First letters of a name's first two words: a wall shows no full names. */
export function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => `${[...word][0]?.toUpperCase() ?? ''}.`)
    .join(' ')
}

function sum<Line extends readonly unknown[]>(lines: readonly Line[], at: number): number {
  let all = 0
  for (const line of lines) all += line[at] as number
  return all
}

/** Basis points, rounded down. @param of not 0 */
function rate(some: number, of: number): number {
  return Math.floor((some * FULL) / of)
}

/** A whole part of an amount of paise: `amount` × `some` / `of`, rounded down; 0 of nothing. */
function part(amount: number, some: number, of: number): number {
  return of === 0 ? 0 : Number((BigInt(amount) * BigInt(some)) / BigInt(of))
}
