/**
 * The combinations of values a row stands for, as a box: of each input, a set of atoms. Atoms are the
 * values a column names and the gaps between them, so that two rows either share an atom or have
 * nothing in common. A count has no value between 3 and 4.
 */
import { evaluateCondition } from '#shared/conditions/evaluate-condition.ts'
import { type Cell, type DecisionTable, inputField, TABLE_CATALOGUE } from './decision-table.ts'

/** Bits of atoms, one number a column. */
export type Box = readonly bigint[]

export interface Space {
  all: Box
  boxes: Box[]
}

/** Beyond, it is not computed what several rows cover together. */
const MOST_PIECES = 3_000

export function spaceOf({ inputs, rows }: DecisionTable): Space {
  const columns = inputs.map((name, at) => {
    const atoms = atomsOf(
      name,
      rows.map(({ when }) => when[at] ?? null),
    )
    return { name, atoms, all: (1n << BigInt(atoms.length)) - 1n }
  })
  return {
    all: columns.map(({ all }) => all),
    boxes: rows.map(({ when }) =>
      columns.map(({ name, atoms, all }, at) => {
        const cell = when[at]
        return cell ? bitsOf(name, cell, atoms) : all
      }),
    ),
  }
}

/** One value of each atom; null is the empty value. */
function atomsOf(name: string, cells: readonly (Cell | null)[]): unknown[] {
  const field = inputField(name)
  const empty = field?.mayBeEmpty ? [null] : []
  if (field?.type === 'choice')
    return [...(field.options ?? []).map(({ value }) => value), ...empty]
  if (field?.type === 'yesNo') return [true, false, ...empty]
  const named = [
    ...new Set(
      cells.flatMap((cell) => [cell?.value ?? []].flat()).filter((v) => typeof v === 'number'),
    ),
  ].toSorted((a, b) => a - b)
  const first = named[0]
  if (first === undefined) return [0, ...empty]
  // amounts, counts and whole percentages: none is below zero
  const below = first > 0 ? [first - 1] : []
  const between = named.flatMap((value, i) => {
    const next = named[i + 1]
    if (next === undefined) return [value, value + 1]
    return next - value > 1 ? [value, value + 1] : [value]
  })
  return [...below, ...between, ...empty]
}

function bitsOf(field: string, cell: Cell, atoms: readonly unknown[]): bigint {
  return atoms.reduce<bigint>((bits, atom, i) => {
    const { truth } = evaluateCondition({ field, ...cell }, { [field]: atom }, TABLE_CATALOGUE)
    return truth === true ? bits | (1n << BigInt(i)) : bits
  }, 0n)
}

export function meets(a: Box, b: Box): boolean {
  return a.every((bits, at) => (bits & (b[at] as bigint)) !== 0n)
}

export function contains(outer: Box, inner: Box): boolean {
  return inner.every((bits, at) => (bits & ~(outer[at] as bigint)) === 0n)
}

/** What of a box no other covers, in pieces that do not meet; null when there are too many. */
export function rest(box: Box, others: readonly Box[]): Box[] | null {
  let pieces: Box[] = [box]
  for (const other of others) {
    pieces = pieces.flatMap((piece) => (meets(piece, other) ? without(piece, other) : [piece]))
    if (pieces.length > MOST_PIECES) return null
    if (pieces.length === 0) return []
  }
  return pieces
}

function without(box: Box, other: Box): Box[] {
  const pieces: Box[] = []
  const left = [...box]
  for (const [at, bits] of box.entries()) {
    const shared = bits & (other[at] as bigint)
    const outside = bits & ~shared
    if (outside !== 0n) pieces.push(left.map((one, i) => (i === at ? outside : one)))
    left[at] = shared
  }
  return pieces
}
