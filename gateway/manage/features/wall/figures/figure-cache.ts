/**
 * The figures of this process: facts are read at most once a second for all readers, and figures
 * handed out are remembered until the next tick, so that a tick brings every reader to the same
 * figures.
 */
import { sql } from 'kysely'
import { tickOf } from '#shared/wall/board-tick.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import type { BoardTick } from '#shared/wall/wall-live.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type Scope, scopeKey, scopeOf, type Unit } from '../board-scope.ts'
import { watchLimits } from './alerts.ts'
import { type BoardFacts, boardFacts, usualLimits } from './board-facts.ts'
import { figuresOf, targetIn } from './figures-of.ts'

/** Minimum time between two reads of the facts. */
const FRESH_MS = 1_000
/** Home pages read the facts for their target no more often. */
const TARGET_MS = 5_000
/** A scope is watched while someone reads it at least this often; boards read again each minute. */
const WATCHED_S = 150
const RENEW_MS = 45_000

export class FigureCache {
  readonly #context: AppContext
  #facts: { at: number; promise: Promise<BoardFacts> } | null = null
  readonly #handed = new Map<string, BoardFigures[]>()
  readonly #watchedAt = new Map<string, number>()
  /** How often facts were read, for tests. */
  reads = 0

  constructor(context: AppContext) {
    this.#context = context
  }

  async read(scope: Scope): Promise<BoardFigures> {
    const key = scopeKey(scope)
    await this.#keepWatched(key)
    const figures = figuresOf(await this.#fresh(FRESH_MS), scope, await usualLimits(this.#context))
    const handed = this.#handed.get(key) ?? []
    if (handed.at(-1)?.asOf !== figures.asOf) this.#handed.set(key, [...handed, figures])
    return figures
  }

  /** The day's target of a unit, in paise, as its board shows it; null when none is set. */
  async target(unit: Unit): Promise<number | null> {
    const facts = await this.#fresh(TARGET_MS)
    return targetIn(facts, { ...unit, stageId: null }, await usualLimits(this.#context))
  }

  /** What changed in each watched scope; checks limits on the way. */
  async ticks(): Promise<BoardTick[]> {
    const { rows } = await sql<{
      key: string
    }>`
      select s.scope_key as key
      from board_scope s
      where s.asked_at > clock_timestamp() - make_interval(secs => ${WATCHED_S})
      order by s.scope_key`.execute(this.#context.database.kysely)
    const scopes = rows.map((row) => scopeOf(row.key))
    for (const key of this.#handed.keys())
      if (!rows.some((row) => row.key === key)) this.#handed.delete(key)
    if (scopes.length === 0) return []
    const facts = await this.#fresh(0)
    const usual = await usualLimits(this.#context)
    facts.alerts = await watchLimits(this.#context, facts, scopes, (scope) =>
      figuresOf(facts, scope, usual),
    )
    const ticks: BoardTick[] = []
    for (const scope of scopes) {
      const key = scopeKey(scope)
      const after = figuresOf(facts, scope, usual)
      const tick = tickOf(key, this.#handed.get(key) ?? [], after)
      this.#handed.set(key, [after])
      if (tick) ticks.push(tick)
    }
    return ticks
  }

  #fresh(maxAge: number): Promise<BoardFacts> {
    const now = performance.now()
    if (this.#facts && now - this.#facts.at < maxAge) return this.#facts.promise
    this.reads += 1
    const reading = { at: now, promise: boardFacts(this.#context) }
    this.#facts = reading
    reading.promise.catch(() => {
      if (this.#facts === reading) this.#facts = null
    })
    return reading.promise
  }

  async #keepWatched(key: string): Promise<void> {
    const now = performance.now()
    if (now - (this.#watchedAt.get(key) ?? -Infinity) < RENEW_MS) return
    this.#watchedAt.set(key, now)
    await sql`
      insert into board_scope (scope_key, asked_at) values (${key}, clock_timestamp())
        on conflict (scope_key) do update set asked_at = clock_timestamp()`.execute(
      this.#context.database.kysely,
    )
  }
}
