/** Input of an allocation. Amounts are paise, weights whole numbers, rooms numbers of cases. */
import type { AllocationMode } from '#shared/collection/collection-sets.ts'

export interface AllocatableCase {
  id: string
  /** Outstanding, paise. */
  amount: number
  /** The current holder, who keeps it if they would be given it anyway. */
  holderId?: string | null
  /** People it must not be given to; most cases have none. */
  barred?: readonly string[]
}

/** A person who may be given cases now: enabled, open, on duty, certified, serving the stage. */
export interface Taker {
  id: string
  agencyId: string
  /** Cases the person still has room for. */
  room: number
  /** 1 to 100; counts in the modes `weight` and `ability`. */
  weight: number
  /**
   * The person's recovery in the last seven days relative to that of all, 1 = the same; counts in
   * the mode `ability`, clipped to 0.5 to 1.5.
   */
  recovery: number
  /** Open cases: of two people with equal claims the one with fewer comes first. */
  load: number
}

export interface AllocationTask {
  cases: readonly AllocatableCase[]
  takers: readonly Taker[]
  /**
   * Agency → weight, 0 to 100. Agencies without a taker are left out; the others share their part.
   */
  weights: ReadonlyMap<string, number>
  mode: AllocationMode
  seed: number
  /**
   * Agency → cases it is behind its weight (ahead: negative), from earlier stages of the same run.
   * Read and updated, so that rounding errors do not add up.
   */
  carry?: Map<string, number>
}
