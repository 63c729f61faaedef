/** A member of staff who does one thing after the other; answers go to the tally. */
import { randomUUID } from 'node:crypto'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { steadily, type WebMachine } from '#tests/support/steady.ts'
import type { WebPerson } from '#tests/support/web-person.ts'
import type { Tally } from './tally.ts'

/** How long a user with nothing to do waits before looking again. */
const REST_MS = 3_000

/**
 * One step of work: at most one call that changes something.
 * @returns false when there is nothing to do
 */
export type Step = () => Promise<boolean>

export abstract class AtWork {
  readonly person: WebPerson
  readonly tally: Tally
  busy = false
  #restsUntil = 0

  constructor(person: WebPerson, tally: Tally) {
    this.person = person
    this.tally = tally
  }

  abstract step(): Promise<boolean>

  get isFree(): boolean {
    return !this.busy && Date.now() >= this.#restsUntil
  }

  /** @returns whether anything was done */
  async turn(step: Step = () => this.step()): Promise<boolean> {
    this.busy = true
    try {
      const done = await step()
      if (!done) this.#restsUntil = Date.now() + REST_MS
      return done
    } finally {
      this.busy = false
    }
  }

  /** Sends until it is answered; null when it was refused. */
  protected async call<E extends Endpoint>(
    kind: string,
    e: E,
    input: InputOf<E>,
  ): Promise<DataOf<E> | null> {
    const key = randomUUID()
    return counted(this.tally, kind, () => this.person.send(e, input, key))
  }
}

export async function machineCall<E extends Endpoint>(
  tally: Tally,
  machine: WebMachine,
  kind: string,
  e: E,
  input: InputOf<E>,
): Promise<DataOf<E> | null> {
  const eventId = randomUUID()
  return counted(tally, kind, () => machine.send(e, input, eventId))
}

async function counted<Data>(
  tally: Tally,
  kind: string,
  ask: () => Promise<Envelope<Data>>,
): Promise<Data | null> {
  const begun = performance.now()
  try {
    const { answer, lost } = await steadily(ask)
    tally.repeated += lost
    return tally.answered(kind, answer, performance.now() - begun) ? answer.data : null
  } catch (error) {
    tally.failed(kind, error instanceof Error ? error.message : String(error))
    return null
  }
}

export function pick<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(Math.random() * values.length)]
}
