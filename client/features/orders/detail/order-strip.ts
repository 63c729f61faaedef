/**
 * The status strip of an order: past statuses, the current one, and the expected next ones. Pure.
 */
import type { OrderStatus } from '#shared/orders/order-statuses.ts'

/**
 * The main path onward from each status; branches appear only once the order takes them. A test
 * checks each step against the lifecycle machine.
 */
export const MAIN_NEXT = {
  10: [20, 22],
  20: [29],
  21: [],
  22: [26],
  23: [],
  26: [29],
  27: [],
  29: [30],
  30: [43],
  31: [29],
  40: [],
  41: [],
  43: [40],
  50: [43],
  70: [],
  80: [],
  90: [43],
  100: [],
  110: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>

export interface Strip {
  states: readonly OrderStatus[]
  /** The shown states the order may move to next. */
  next: readonly OrderStatus[]
}

/**
 * @param visited statuses in the order they were reached; the current one may be missing while the
 * timeline is stale
 */
export function stripOf(current: OrderStatus, visited: readonly OrderStatus[]): Strip {
  // A status reached twice is placed where it was reached last, so that everything before the
  // current one is past.
  const past = [...visited, current].filter((status, i, all) => all.lastIndexOf(status) === i)
  const states: OrderStatus[] = [...past]
  let step: readonly OrderStatus[] = MAIN_NEXT[current]
  while (step.length > 0) {
    for (const status of step) if (!states.includes(status)) states.push(status)
    step = nextStep(step)
  }
  return { states, next: MAIN_NEXT[current] }
}

/** At a fork both paths are shown until one is taken: 20 and 22, then 26, then 29. */
function nextStep(step: readonly OrderStatus[]): readonly OrderStatus[] {
  if (step.length > 1) return [26]
  return step.flatMap((status) => MAIN_NEXT[status])
}
