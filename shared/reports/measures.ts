/**
 * Every measure of the reports, defined once: its unit, and how it follows from counted sums. Its
 * name is `reports:measure.<name>`, its definition in words `reports:help.<name>`.
 */
import Type, { type TInteger, type TNull, type TUnion } from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'

export type MeasureUnit = 'count' | 'money' | 'percent' | 'seconds'

interface MeasureRule {
  unit: MeasureUnit
  /**
   * Sums whose quotient it is: of a percent in basis points, else per one. Without them it is the
   * sum of its own name.
   */
  of?: readonly [part: string, whole: string]
  /** It counts cohorts that are complete, this many days after the day; younger ones can change. */
  age?: number
}

export const MEASURES = {
  registrations: { unit: 'count' },
  certified: { unit: 'count' },
  applications: { unit: 'count' },
  approved: { unit: 'count' },
  approvalRate: { unit: 'percent', of: ['approved', 'decided'] },
  disbursed: { unit: 'count' },
  disbursedAmount: { unit: 'money' },
  firstLoans: { unit: 'count' },
  reLoans: { unit: 'count' },
  failedTransfers: { unit: 'count' },
  payoutFailRate: { unit: 'percent', of: ['failedTransfers', 'transfers'] },
  averageAmount: { unit: 'money', of: ['disbursedAmount', 'disbursed'] },
  firstDefaultRate: { unit: 'percent', of: ['firstUnpaid', 'firstDue'], age: 7 },
} as const satisfies Record<string, MeasureRule>

export type MeasureName = keyof typeof MEASURES
export type Figures<N extends MeasureName> = Record<N, number | null>
/** Counted sums by name; one that is missing is 0. */
export type Sums = Readonly<Record<string, number>>

/** Fields of a row with these measures: whole numbers, null where a division was by zero. */
export function measureFields<const N extends MeasureName>(
  names: readonly N[],
): Record<N, TUnion<[TInteger, TNull]>> {
  const fields = names.map((name) => [name, Nullable(Type.Integer())] as const)
  return Object.fromEntries(fields) as Record<N, TUnion<[TInteger, TNull]>>
}

/** The figures that follow from counted sums, rounded half away from zero. */
export function figuresOf<const N extends MeasureName>(
  names: readonly N[],
  sums: Sums,
): Figures<N> {
  const figures = names.map((name) => [name, figureOf(MEASURES[name], name, sums)] as const)
  return Object.fromEntries(figures) as Figures<N>
}

function figureOf({ unit, of }: MeasureRule, name: string, sums: Sums): number | null {
  if (of === undefined) return sums[name] ?? 0
  return quotient(sums[of[0]] ?? 0, sums[of[1]] ?? 0, unit === 'percent' ? 10_000 : 1)
}

/**
 * `part` × `per` / `whole`, rounded half away from zero; null for a whole of 0.
 * @param part whole numbers, as all three: paise, counts or seconds
 */
export function quotient(part: number, whole: number, per: number): number | null {
  if (whole === 0) return null
  const [n, d] = [BigInt(part) * BigInt(per), BigInt(whole)]
  const isNegative = n < 0n !== d < 0n
  const [top, bottom] = [n < 0n ? -n : n, d < 0n ? -d : d]
  const rounded = Number((top * 2n + bottom) / (bottom * 2n))
  return isNegative ? -rounded : rounded
}
