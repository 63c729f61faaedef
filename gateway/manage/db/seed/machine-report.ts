/** What the machine review says of an application. */
import type { Rng } from './random.ts'

export interface MachineReport {
  score: number
  /** Paise. */
  limit: number | null
  rules: { code: string; name: string; hit: boolean; output: string | null }[]
}

const RULES = [
  ['ADM01', 'Age 21 to 58'], ['ADM02', 'Serviceable PIN code'], ['ADM03', 'One application at a time'], ['AF01', 'Device seen with other customers'], ['AF02', 'Account seen with other customers'], ['AF03', 'Contacts shared with blacklisted customers'],
  ['KYC01', 'Name on PAN equals name on Aadhaar'], ['KYC02', 'Face on live photo equals face on PAN'], ['KYC03', 'Address equals Aadhaar address'], ['CR01', 'Bureau score above floor'], ['CR02', 'Enquiries in the last 30 days'], ['CR03', 'Open overdue at other lenders'], ['INC01', 'Instalment below 45 % of income'],
] as const

/** Rules that send an application to a person rather than refuse it. */
const DOUBTS = [5, 6, 7, 8, 10, 12]

export function reportOf(rng: Rng, result: 'passed' | 'undecided' | 'failed' | 'limitFailed', amount: number): MachineReport {
  const hits = new Set<number>()
  if (result === 'undecided') for (let n = rng.int(1, 3); n > 0; n -= 1) hits.add(rng.pick(DOUBTS))
  if (result === 'failed') hits.add(rng.pick([0, 3, 4, 9, 11]))
  const score = result === 'passed' ? rng.int(680, 820) : result === 'undecided' ? rng.int(610, 700) : rng.int(420, 600)
  const limit = result === 'failed' ? null : result === 'limitFailed' ? Math.round((amount * 0.2) / 50_000) * 50_000 : Math.round((amount * (1 + rng.next())) / 50_000) * 50_000
  return { score, limit, rules: RULES.map(([code, name], i) => ({ code, name, hit: hits.has(i), output: hits.has(i) ? 'manual review' : null })) }
}
