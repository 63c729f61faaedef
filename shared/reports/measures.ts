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
  visits: { unit: 'count' },
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
  reached: { unit: 'count' },
  stepRate: { unit: 'percent', of: ['reached', 'reachedBefore'] },
  totalRate: { unit: 'percent', of: ['reached', 'registered'] },
  medianTime: { unit: 'seconds' },
  autoPassed: { unit: 'count' },
  autoFailed: { unit: 'count' },
  undecided: { unit: 'count' },
  limitFailed: { unit: 'count' },
  manualPassed: { unit: 'count' },
  manualFailed: { unit: 'count' },
  paidOutRate: { unit: 'percent', of: ['disbursed', 'approved'] },
  duePlans: { unit: 'count' },
  dueAmount: { unit: 'money' },
  earlyPlans: { unit: 'count' },
  earlyAmount: { unit: 'money' },
  onTimePlans: { unit: 'count' },
  onTimeAmount: { unit: 'money' },
  latePlans: { unit: 'count' },
  lateAmount: { unit: 'money' },
  extendedPlans: { unit: 'count' },
  reducedAmount: { unit: 'money' },
  writtenOffAmount: { unit: 'money' },
  openAmount: { unit: 'money' },
  onTimeRate: { unit: 'percent', of: ['paidByDue', 'toPayByDue'], age: 0 },
  receivedAmount: { unit: 'money' },
  newOverdueAmount: { unit: 'money', age: 0 },
  collectedAmount: { unit: 'money' },
  waivedAmount: { unit: 'money' },
  chargedOffAmount: { unit: 'money' },
  newTickets: { unit: 'count' },
  bills: { unit: 'count' },
  heldAmount: { unit: 'money' },
  cameAmount: { unit: 'money' },
  collectedRate: { unit: 'percent', of: ['collectedAmount', 'collectable'] },
  claimedReviews: { unit: 'count' },
  decidedReviews: { unit: 'count' },
  passedShare: { unit: 'percent', of: ['passedReviews', 'decidedReviews'] },
  reviewTime: { unit: 'seconds', of: ['reviewSeconds', 'timedReviews'] },
  expiredLeases: { unit: 'count' },
  askedHandovers: { unit: 'count' },
  askedCustomers: { unit: 'count' },
  checkedReviews: { unit: 'count' },
  qualityRate: { unit: 'percent', of: ['qualityPassed', 'checkedReviews'] },
  wrongRejections: { unit: 'count' },
  wrongPasses: { unit: 'count' },
  otherMistakes: { unit: 'count' },
  passedOverdueRate: { unit: 'percent', of: ['passedUnpaid', 'passedDue'], age: 7 },
  rejections: { unit: 'count' },
  rejectionShare: { unit: 'percent', of: ['rejections', 'allRejections'] },
  queuedReviews: { unit: 'count' },
  longestWait: { unit: 'seconds' },
  settledLoans: { unit: 'count' },
  reborrowed1: { unit: 'count', age: 1 },
  reloanRate1: { unit: 'percent', of: ['again1', 'settled1'], age: 1 },
  reborrowed3: { unit: 'count', age: 3 },
  reloanRate3: { unit: 'percent', of: ['again3', 'settled3'], age: 3 },
  reborrowed7: { unit: 'count', age: 7 },
  reloanRate7: { unit: 'percent', of: ['again7', 'settled7'], age: 7 },
  reborrowed15: { unit: 'count', age: 15 },
  reloanRate15: { unit: 'percent', of: ['again15', 'settled15'], age: 15 },
  reborrowed30: { unit: 'count', age: 30 },
  reloanRate30: { unit: 'percent', of: ['again30', 'settled30'], age: 30 },
  reloanAmount: { unit: 'money', age: 30 },
  limitRise: { unit: 'percent', of: ['limitGrowth', 'limitBefore'], age: 30 },
  reloanOverdueRate: { unit: 'percent', of: ['reUnpaid', 'reDue'], age: 7 },
  spend: { unit: 'money' },
  impressions: { unit: 'count' },
  clicks: { unit: 'count' },
  costPerRegistration: { unit: 'money', of: ['spend', 'registrations'] },
  costPerDisbursement: { unit: 'money', of: ['spend', 'disbursed'] },
  cohortPlans: { unit: 'count' },
  overduePlans: { unit: 'count' },
  overdueAmount: { unit: 'money' },
  overdueCountRate: { unit: 'percent', of: ['overduePlans', 'cohortPlans'] },
  overdueRate: { unit: 'percent', of: ['overdueAmount', 'cohortAmount'] },
  recoveryCountRate: { unit: 'percent', of: ['recoveredPlans', 'missedPlans'] },
  recoveryRate: { unit: 'percent', of: ['recoveredAmount', 'missedAmount'] },
  repaidShare: { unit: 'percent', of: ['repaidAmount', 'cohortAmount'] },
  hits: { unit: 'count' },
  hitRate: { unit: 'percent', of: ['hits', 'judged'] },
  overrides: { unit: 'count' },
  averageLimit: { unit: 'money', of: ['limitAmount', 'limits'] },
  overdueT7Rate: { unit: 'percent', of: ['unpaid7', 'due7'], age: 7 },
  overdueT30Rate: { unit: 'percent', of: ['unpaid30', 'due30'], age: 30 },
  openBefore: { unit: 'count' },
  reminders: { unit: 'count' },
  robotCalls: { unit: 'count' },
  remindedPlans: { unit: 'count' },
  remindedRate: { unit: 'percent', of: ['remindedPlans', 'openBefore'] },
  paidBeforeDue: { unit: 'count', age: 0 },
  paidBeforeDueRate: { unit: 'percent', of: ['paidDone', 'openDone'], age: 0 },
  remindedPaidRate: { unit: 'percent', of: ['remindedPaidDone', 'remindedDone'], age: 0 },
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
