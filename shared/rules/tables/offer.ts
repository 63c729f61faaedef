/** What the tables give an application, table by table. Pure; money in whole paise. */
import type { Facts } from '#shared/conditions/evaluate-condition.ts'
import type { DecisionTable, OutputName } from './decision-table.ts'

export interface Offer {
  /** Paise; null as long as no table gave one. */
  limit: number | null
  priority: number
  /** Basis points; null: those of the product. */
  serviceRate: number | null
  dailyRate: number | null
}

export const NO_OFFER: Offer = { limit: null, priority: 0, serviceRate: null, dailyRate: null }

/** 100 % in basis points. */
const WHOLE = 10_000

export function outputsOf(
  { outputs, rows }: DecisionTable,
  row: number,
): Partial<Record<OutputName, number>> {
  const gives = rows[row]?.gives ?? []
  return Object.fromEntries(
    outputs.flatMap((name, at) => (typeof gives[at] === 'number' ? [[name, gives[at]]] : [])),
  )
}

/**
 * The offer after a row was hit. Of several limits in a row the lowest counts; a change is a share of
 * the limit that earlier tables gave. No limit exceeds the product's maximum.
 */
export function offerAfter(
  before: Offer,
  given: Partial<Record<OutputName, number>>,
  facts: Facts,
): Offer {
  const { monthlyIncome, productMaximum } = facts
  const limits = [
    given.limit,
    shareOf(monthlyIncome, given.limitOfIncome),
    shareOf(before.limit, given.limitChange),
  ].filter((limit) => limit !== undefined)
  const most = typeof productMaximum === 'number' ? productMaximum : Number.POSITIVE_INFINITY
  return {
    limit: limits.length === 0 ? before.limit : Math.min(most, ...limits),
    priority: given.priority ?? before.priority,
    serviceRate: given.serviceRate ?? before.serviceRate,
    dailyRate: given.dailyRate ?? before.dailyRate,
  }
}

function shareOf(amount: unknown, basisPoints: number | undefined): number | undefined {
  return typeof amount === 'number' && basisPoints !== undefined
    ? Math.floor((amount * basisPoints) / WHOLE)
    : undefined
}
