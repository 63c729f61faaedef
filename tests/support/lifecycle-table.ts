/**
 * Tests a lifecycle against its total table. A row is an event with facts that satisfy its guards
 * (an event whose guards choose among targets has a row for each), a column is a state, a cell is
 * the state after it or null when it is refused.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IllegalTransition, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export type LifecycleTable<Row extends string, State extends string> = Record<
  Row,
  Record<State, State | null>
>

/** One event for each event type; further rows of the table are added by intersection. */
export type SampleEvents<Event extends { type: string }> = {
  [Type in Event['type']]: Extract<Event, { type: Type }>
}

interface Proof<State extends string, Event extends { type: string }, Row extends string> {
  lifecycle: Lifecycle<State, Event>
  samples: Record<Row, Event>
  table: LifecycleTable<Row, State>
  /** Every closed state with the events that lead out of it. */
  closed: Partial<Record<State, readonly Event['type'][]>>
}

/** Registers the tests that apply to every lifecycle. */
export function testLifecycle<
  State extends string,
  Event extends { type: string },
  Row extends string,
>({ lifecycle, samples, table, closed }: Proof<State, Event, Row>): void {
  const rows = Object.keys(table) as Row[]
  const closedStates = Object.keys(closed) as State[]

  /** Where the table lets any row of this event type leave the state. */
  function targets(state: State, type: Event['type']): State[] {
    return rows
      .filter((row) => samples[row].type === type)
      .flatMap((row) => table[row][state] ?? [])
  }
  function neighbours(state: State): State[] {
    return rows.flatMap((row) => table[row][state] ?? [])
  }
  function reachableFrom(start: State): Set<State> {
    const seen = new Set([start])
    for (const state of seen) for (const next of neighbours(state)) seen.add(next)
    return seen
  }

  test('the table and the machine have the same states and events', () => {
    for (const row of rows)
      expect(Object.keys(table[row]).toSorted(), row).toEqual(lifecycle.states.toSorted())
    expect([...new Set(rows.map((row) => samples[row].type))].toSorted()).toEqual(
      lifecycle.events.toSorted(),
    )
  })

  for (const row of rows) {
    test(`${row} in every state follows the table`, () => {
      const event = samples[row]
      for (const state of lifecycle.states) {
        const target = table[row][state]
        expect(lifecycle.can(state, event), state).toBe(target !== null)
        if (target !== null) expect(lifecycle.next(state, event), state).toBe(target)
        else expectRefused(lifecycle, state, event)
      }
    })
  }

  test('a state allows exactly the events that lead out of it or keep it', () => {
    for (const state of lifecycle.states) {
      const types = rows.filter((row) => table[row][state] !== null).map((row) => samples[row].type)
      expect(lifecycle.allowed(state).toSorted(), state).toEqual([...new Set(types)].toSorted())
    }
  })

  test('every state is reachable from the initial one', () => {
    expect([...reachableFrom(lifecycle.initial)].toSorted()).toEqual(lifecycle.states.toSorted())
  })

  test('every open state can reach a closed one', () => {
    for (const state of lifecycle.states)
      expect(
        [...reachableFrom(state)].some((s) => lifecycle.isClosed(s)),
        state,
      ).toBe(true)
  })

  test('closed states are left only by their listed exits', () => {
    expect(lifecycle.states.filter((state) => lifecycle.isClosed(state)).toSorted()).toEqual(
      closedStates.toSorted(),
    )
    for (const state of closedStates) expect(lifecycle.allowed(state), state).toEqual(closed[state])
  })

  test('random events with random facts never leave the table and give the same answer twice', () => {
    const anyEvent = fc.oneof(...rows.map((row) => varied(samples[row])))
    // Half of the steps take an event the state allows, so that a walk gets deep into the
    // lifecycle.
    const step = fc.record({ event: anyEvent, isGuided: fc.boolean(), pick: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
        let state = lifecycle.initial
        for (const { event: drawn, isGuided, pick } of steps) {
          const possible = rows.filter((row) => table[row][state] !== null)
          const guided = possible[pick % possible.length]
          const event = isGuided && guided !== undefined ? samples[guided] : drawn
          if (!lifecycle.can(state, event)) {
            expectRefused(lifecycle, state, event)
            continue
          }
          const next = lifecycle.next(state, event)
          expect(lifecycle.next(state, event)).toBe(next)
          expect(targets(state, event.type)).toContain(next)
          state = next
        }
      }),
    )
  })
}

/** The refusal names state, event and what is allowed instead. */
export function expectRefused<State extends string, Event extends { type: string }>(
  lifecycle: Lifecycle<State, Event>,
  state: State,
  event: Event,
): void {
  expect(lifecycle.can(state, event), `${state} ${event.type}`).toBe(false)
  expect(refusalOf(() => lifecycle.next(state, event))).toMatchObject({
    lifecycle: lifecycle.name,
    state,
    event: event.type,
    allowed: lifecycle.allowed(state),
  })
}

function refusalOf(act: () => unknown): IllegalTransition {
  try {
    act()
  } catch (error) {
    if (error instanceof IllegalTransition) return error
    throw error
  }
  throw new Error('expected an IllegalTransition')
}

/**
 * The same event with other facts: any boolean, small and large numbers, empty and odd texts, null
 * where an object may be null.
 */
function varied<Event extends { type: string }>(event: Event): fc.Arbitrary<Event> {
  const facts = Object.entries(event).filter(([name]) => name !== 'type')
  const model = Object.fromEntries(facts.map(([name, value]) => [name, factLike(value)]))
  // The record has the names and types of the sample's facts.
  return fc.record(model).map((drawn) => ({ ...event, ...drawn }))
}

function factLike(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'boolean') return fc.boolean()
  if (typeof value === 'number')
    return fc.oneof(fc.constant(value), fc.integer({ min: -2, max: 200 }), fc.maxSafeInteger())
  if (typeof value === 'string')
    return fc.oneof(fc.constant(value), fc.constantFrom('', ' ', '2026-01-01', '23:59', 'Z01'))
  return fc.constant(value)
}
