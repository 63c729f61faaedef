/**
 * Leaders who distribute work: cases from the pool, between collectors, back to the pool; sometimes
 * a contact stop, or a run when much waits.
 */
import {
  allocationDesk,
  autoAllocate,
  previewAllocation,
} from '#shared/collection/allocation-api.ts'
import { allocateCases, listCases, recallCases } from '#shared/collection/cases-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { addStop, resumeStops } from '#shared/collection/stops-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { AtWork, pick } from './person-at-work.ts'

type Row = DataOf<typeof listCases>['rows'][number]
type Tree = DataOf<typeof collectionTree>

const RUN_EVERY_MS = 60_000
const STOPS_AT_ONCE = 3
const BY_HAND = 3

export class Leader extends AtWork {
  readonly #runs: boolean
  #tree: Tree | null = null
  #held: Row[] = []
  #pool: Row[] = []
  readonly #stops: string[] = []
  #ranAt = 0

  /** @param runs whether they may run allocations */
  constructor(person: AtWork['person'], tally: AtWork['tally'], runs: boolean) {
    super(person, tally)
    this.#runs = runs
  }

  async step(): Promise<boolean> {
    this.#tree ??= await this.call('look', collectionTree, {})
    if (this.#runs && Date.now() - this.#ranAt > RUN_EVERY_MS) return this.#run()
    if (this.#held.length === 0) this.#held = await this.#rows('toFollow')
    if (this.#pool.length === 0) this.#pool = await this.#rows('toAllocate')
    const luck = Math.random()
    if (this.#pool.length > 0 && luck < 0.45)
      return this.#give(this.#pool.splice(0, BY_HAND), false)
    if (luck < 0.75) return this.#give(this.#held.splice(0, 1), true)
    if (luck < 0.95) return this.#recall(this.#held.splice(0, 1))
    return this.#stops.length >= STOPS_AT_ONCE ? this.#resume() : this.#stop(this.#held.shift())
  }

  async #rows(tab: 'toFollow' | 'toAllocate'): Promise<Row[]> {
    const page = await this.call('look', listCases, {
      tab,
      pageSize: 50,
      pageNum: 1 + Math.floor(Math.random() * 3),
    })
    return (page?.rows ?? []).filter(
      (row) => row.state === 'allocated' || row.state === 'unallocated',
    )
  }

  async #give(rows: readonly Row[], isTransfer: boolean): Promise<boolean> {
    const [first] = rows
    if (!first) return false
    const same = rows.filter((row) => row.stageId === first.stageId)
    const takers = (this.#tree?.collectors ?? []).filter(
      (one) =>
        one.enabled &&
        one.onDuty &&
        one.stageIds.includes(first.stageId) &&
        one.userId !== first.collectorId,
    )
    const taker = pick(takers)
    if (!taker) return false
    return this.#bulk(
      isTransfer ? 'transfer' : 'allocation',
      await this.call(isTransfer ? 'transfer' : 'allocation', allocateCases, {
        caseIds: same.map((row) => row.caseId),
        collectorId: taker.userId,
        reason: 'Evening out the floor',
      }),
    )
  }

  async #recall(rows: readonly Row[]): Promise<boolean> {
    if (rows.length === 0) return false
    return this.#bulk(
      'recall',
      await this.call('recall', recallCases, {
        caseIds: rows.map((row) => row.caseId),
        reason: 'Shift ends early today',
      }),
    )
  }

  async #stop(row: Row | undefined): Promise<boolean> {
    if (!row) return false
    const stop = await this.call('stop', addStop, {
      userId: row.userId,
      reason: 'hardship',
      remark: 'Asked for a week without calls',
    })
    if (stop?.state === 'active') this.#stops.push(stop.stopId)
    return true
  }

  async #resume(): Promise<boolean> {
    return this.#bulk(
      'resume',
      await this.call('resume', resumeStops, {
        stopIds: this.#stops.splice(0),
        remark: 'The week is over',
      }),
    )
  }

  async #run(): Promise<boolean> {
    this.#ranAt = Date.now()
    const desk = await this.call('look', allocationDesk, {})
    const stageIds = (desk?.pool ?? [])
      .filter((stage) => stage.cases > 0 && stage.allocationState === 'allocated')
      .map((stage) => stage.stageId)
    if (stageIds.length === 0) return false
    const terms: InputOf<typeof previewAllocation> = {
      stageIds,
      scope: 'unallocated',
      mode: 'average',
    }
    const plan = await this.call('preview', previewAllocation, terms)
    if (plan) await this.call('run', autoAllocate, { planId: plan.planId, version: plan.version })
    return true
  }

  /** Of several cases in one call, some may be refused: each counts separately. */
  #bulk(kind: string, result: { failed: readonly { problem?: string }[] } | null): boolean {
    for (const { problem } of result?.failed ?? []) this.tally.refused(kind, problem ?? 'unknown')
    return true
  }
}
