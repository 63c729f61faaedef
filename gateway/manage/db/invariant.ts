/** A rule over the whole database, and what a check of it found. */
export interface InvariantResult {
  code: string
  name: string
  violations: number
  /** The first ids. */
  sample: string[]
}

/**
 * By code: what must hold, and a query of the ids of the rows that break it. The letter of a code says
 * of what it is (`ledger-proof-sets.ts`); a code is never used again.
 */
export type Invariants = Readonly<Record<string, readonly [name: string, query: string]>>

/** By the code of its rule: what locks the owners of a counter, and what counts again. */
export type Counters = Readonly<Record<string, readonly [lock: string, count: string]>>
