/**
 * A lifecycle is one XState machine, pure (no clock, no I/O), and the only place where a transition
 * exists. The server asks it before every write, the client asks the same one to decide which
 * buttons exist and why one is dimmed. Everything a guard needs travels in the event.
 */
import type { AnyStateMachine, EventFromLogic } from 'xstate'

export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'
  readonly lifecycle: string
  readonly state: string
  readonly event: string
  readonly allowed: readonly string[]

  constructor(lifecycle: string, state: string, event: string, allowed: readonly string[]) {
    super(
      `${lifecycle} in state ${state} does not take ${event}; allowed: ${allowed.join(', ') || 'nothing'}`,
    )
    this.lifecycle = lifecycle
    this.state = state
    this.event = event
    this.allowed = allowed
  }
}

export interface Lifecycle<State extends string, Event extends { type: string }> {
  readonly name: string
  readonly initial: State
  readonly states: readonly State[]
  readonly events: readonly Event['type'][]
  /**
   * State after the event.
   * @throws IllegalTransition when the state does not take it or its guard refuses.
   */
  next(state: State, event: Event): State
  /** Whether `next` would succeed. */
  can(state: State, event: Event): boolean
  /** Event types the state has a transition for, guards left aside: which buttons exist. */
  allowed(state: State): Event['type'][]
  /**
   * Tagged `closed`: the lifecycle has ended, though a reversal or reopening may lead out again.
   */
  isClosed(state: State): boolean
}

/**
 * Wraps a flat XState machine.
 * @param machine states are its top-level nodes; events carry what guards need; closed states are
 * tagged `closed`
 */
export function lifecycle<State extends string, M extends AnyStateMachine>(
  name: string,
  machine: M,
): Lifecycle<State, EventFromLogic<M>> {
  type Event = EventFromLogic<M>
  const states = Object.keys(machine.states) as State[]
  const snapshots = new Map(
    states.map((value) => [value, machine.resolveState({ value } as never)]),
  )
  const allowedOf = new Map(
    states.map((state) => [
      state,
      [...new Set((machine.states[state] as AnyStateMachine['root']).ownEvents)] as Event['type'][],
    ]),
  )
  const events = [...new Set(states.flatMap((s) => allowedOf.get(s) ?? []))]

  function snapshotOf(state: State) {
    const snapshot = snapshots.get(state)
    if (!snapshot) throw new TypeError(`${name} has no state ${state}`)
    return snapshot
  }
  function can(state: State, event: Event): boolean {
    return snapshotOf(state).can(event)
  }
  return {
    name,
    // XState asks for the input of a machine that takes none, and types the value of its snapshot by it
    initial: (machine.getInitialSnapshot(undefined as never) as { value: State }).value,
    states,
    events,
    can,
    next(state, event) {
      if (!can(state, event))
        throw new IllegalTransition(name, state, event.type, allowedOf.get(state) ?? [])
      const [taken] = machine.getTransitionData(snapshotOf(state), event)
      // one without a target stays where it is
      return (taken?.target?.[0]?.key as State | undefined) ?? state
    },
    allowed: (state) => [...(allowedOf.get(state) ?? [])],
    isClosed: (state) => snapshotOf(state).hasTag('closed'),
  }
}
