/** Report of the machine review on an application. */
import { SHIPPED_RULES } from '#shared/rules/shipped-names.ts'
import type { Rng } from './random.ts'

export interface MachineReport {
  score: number
  /** Paise. */
  limit: number | null
  rules: { code: string; name: string; hit: boolean; output: string | null }[]
}

/** Rules that refuse; a hit of another shipped rule sends the application to a reviewer. */
const REFUSING = ['ADM01', 'ADM02', 'ADM03', 'CR01', 'CR02', 'INC02']
/** Code, name. */
export const REFUSALS = Object.entries(SHIPPED_RULES).filter(([code]) => REFUSING.includes(code))

/** Doubts that contradict nothing the demo shows of a borrower. */
const LIKELY = ['AF01', 'AF02', 'AF03', 'INC01'] as const

/** Of an application that people decide: its report names at least one doubt. */
export function reportOf(rng: Rng, amount: number): MachineReport {
  const hits = new Set<string>()
  for (let n = rng.int(1, 3); n > 0; n -= 1) hits.add(rng.pick(LIKELY))
  const limit = Math.round((amount * (1 + rng.next())) / 50_000) * 50_000
  return {
    score: rng.int(610, 700),
    limit,
    rules: Object.entries(SHIPPED_RULES).map(([code, name]) => ({
      code,
      name,
      hit: hits.has(code),
      // the shipped rules send to people; an output is a lender's own word
      output: null,
    })),
  }
}
