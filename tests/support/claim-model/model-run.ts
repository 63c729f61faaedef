/**
 * Random histories of claims, executed on the model and on the product; they must never differ.
 * fast-check prints the seed and the shortest history that differs.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import {
  ClaimModel,
  ITEMS,
  type Kind,
  KINDS,
  LEADER,
  REVIEWERS,
  type Step,
  type Who,
} from './claim-model.ts'
import { ClaimSite } from './claim-site.ts'

const PEOPLE = [...REVIEWERS, LEADER] as const satisfies readonly Who[]
/** A restart takes as long as fifty calls. */
const WEIGHT: Partial<Record<Kind, number>> = {
  claim: 42,
  open: 42,
  decide: 18,
  claimNext: 12,
  askHandover: 24,
  approve: 15,
  sweep: 6,
  restart: 1,
}
const USUAL_WEIGHT = 9

class Act implements fc.AsyncCommand<ClaimModel, ClaimSite> {
  readonly #step: Step
  readonly #tally: Map<string, number>
  /** As executed. */
  #done: Step | null = null
  constructor(step: Step, tally: Map<string, number>) {
    this.#step = step
    this.#tally = tally
  }
  check(model: Readonly<ClaimModel>): boolean {
    return model.isPossible(model.guided(this.#step))
  }
  async run(model: ClaimModel, site: ClaimSite): Promise<void> {
    const step = model.guided(this.#step)
    this.#done = step
    const seen = model.seen(step.who, step.item)
    const expected = model.apply(step)
    const outcome = `${step.kind} ${expected}`
    this.#tally.set(outcome, (this.#tally.get(outcome) ?? 0) + 1)
    expect(await site.perform(step, seen), this.toString()).toBe(expected)
    expect(await site.stored(), this.toString()).toEqual(
      model.items.map(({ state, reviewer, token, version, pending }) => ({
        state,
        reviewer,
        token,
        version,
        pending: pending !== null,
      })),
    )
  }
  toString(): string {
    const { kind, who, item, to } = this.#done ?? this.#step
    return `${who} ${kind} ${item}${kind === 'askHandover' ? ` to ${to}` : ''}`
  }
}

const step = fc.record<Step>({
  kind: fc.oneof(
    ...KINDS.map((kind) => ({
      weight: WEIGHT[kind] ?? USUAL_WEIGHT,
      arbitrary: fc.constant(kind),
    })),
  ),
  // Half of the steps are by the same two users on the same item, so that they conflict.
  who: fc.oneof(fc.constantFrom<Who>('reviewer', 'reviewer2'), fc.constantFrom<Who>(...PEOPLE)),
  item: fc.oneof(fc.constant(0), fc.nat(ITEMS - 1)),
  to: fc.oneof(fc.constant<Who>('reviewer2'), fc.constantFrom<Who>(...PEOPLE)),
  isGuided: fc.boolean(),
})

/**
 * @param runs histories of at most `steps` steps each
 * @returns how often each step had which outcome, `claim V-TAKEN`
 */
export async function proveClaims(runs: number, steps: number): Promise<Map<string, number>> {
  const site = await ClaimSite.open()
  const tally = new Map<string, number>()
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.commands([step.map((given) => new Act(given, tally))], {
          maxCommands: steps,
          size: 'max',
        }),
        async (commands) => {
          await site.begin()
          try {
            await fc.asyncModelRun(() => ({ model: new ClaimModel(), real: site }), commands)
          } finally {
            await site.end()
          }
        },
      ),
      { numRuns: runs, endOnFailure: false },
    )
    expect(await brokenInvariants(site.database)).toEqual([])
    return tally
  } finally {
    await site.close()
  }
}
