/** What the machine review says of an application. */
import type { Rng } from './random.ts'

export interface MachineReport {
  score: number
  /** Paise. */
  limit: number | null
  rules: { code: string; name: string; hit: boolean; output: string | null }[]
}

/** Those of the rule set that is shipped: code, name. */
const DOUBTS = [
  ['CR03', 'Earlier loan overdue for 8 to 30 days'],
  ['AF01', 'PAN or Aadhaar known from another customer'],
  ['AF02', 'Bank account known from another customer'],
  ['AF03', 'Declared contact is a blacklisted customer'],
  ['KYC01', 'Name on PAN differs from the application'],
  ['KYC02', 'Live face not compared, or less than 80 % alike'],
  ['CARD01', 'Bank card not bound'],
  ['CARD02', 'Name on bank account less than 80 % alike'],
  ['INC01', 'Instalment above 45 % of income'],
  ['LIM01', 'First loan above 15,000 rupees'],
  ['LIM02', 'Amount above the limit'],
] as const
/** Rules that refuse. */
export const REFUSALS = [
  ['ADM01', 'Age outside 21 to 58'],
  ['ADM02', 'Refused within the last 30 days'],
  ['ADM03', 'Income below 12,000 rupees a month'],
  ['CR01', 'Earlier loan overdue for more than 30 days'],
  ['CR02', 'Earlier loan written off'],
  ['INC02', 'Instalment above 80 % of income'],
] as const

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
    rules: [...REFUSALS, ...DOUBTS].map(([code, name]) => ({
      code,
      name,
      hit: hits.has(code),
      output: hits.has(code) ? 'manual review' : null,
    })),
  }
}
