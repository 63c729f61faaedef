/** The outcome of an item at a sandbox follows from its id alone, so that a restart changes nothing. */
import { createHash } from 'node:crypto'

export function digestOf(id: string, use: string): Buffer {
  return createHash('sha256').update(`${use}\n${id}`).digest()
}

/** 0 to 99, the same for the same thing and use. */
export function diceOf(id: string, use: string): number {
  return digestOf(id, use).readUInt32BE() % 100
}

/** @param fates with their shares of a hundred; what they leave is the last one */
export function fateIn<Fate>(fates: readonly (readonly [Fate, number])[], id: string): Fate {
  let left = diceOf(id, 'fate')
  for (const [fate, share] of fates) {
    if (left < share) return fate
    left -= share
  }
  return (fates.at(-1) as readonly [Fate, number])[0]
}

/** @param drawn 0 to 99 */
export function between([from, to]: readonly [number, number], drawn: number): number {
  return from + ((to - from) * drawn) / 100
}

export function vendorNumberOf(prefix: string, id: string): string {
  return prefix + digestOf(id, 'number').toString('hex').slice(0, 16)
}
