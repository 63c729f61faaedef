/**
 * Callers with retries: after a lost reply, a missing process or an unavailable service the call is
 * repeated with the same idempotency key (the same event id for a machine), as the browser and a
 * partner's system do.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import type { MachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { WebPerson } from './web-person.ts'

const PAUSE_MS = 100
const PATIENCE_MS = 120_000
/** Unavailable: nothing was done and the call may be repeated. */
const LATER = ['G-DOWN', 'G-RATE']

export interface Steady<Data> {
  answer: Envelope<Data>
  /** Attempts without a usable answer. */
  lost: number
}

/** @throws Error when there is no answer for a minute */
export async function steadily<Data>(
  ask: () => Promise<Envelope<Data>>,
  patienceMs = PATIENCE_MS,
): Promise<Steady<Data>> {
  const end = Date.now() + patienceMs
  let last: unknown = null
  for (let lost = 0; ; lost += 1) {
    try {
      const answer = await ask()
      if (!LATER.includes(answer.problem?.id ?? '')) return { answer, lost }
      last = answer
    } catch (error) {
      last = error
    }
    if (Date.now() > end) {
      const why =
        last instanceof Error ? `${last.message} ${String(last.cause ?? '')}` : JSON.stringify(last)
      throw new Error(`no answer within ${patienceMs} ms, at last: ${why}`)
    }
    await delay(PAUSE_MS)
  }
}

/** One call of a user, repeated with its key until it is answered. */
export async function steadyCall<E extends Endpoint>(
  person: WebPerson,
  e: E,
  input: InputOf<E>,
  key: string = randomUUID(),
): Promise<Envelope<DataOf<E>>> {
  return (await steadily(() => person.send(e, input, key))).answer
}

/** A machine with a key over real HTTP. */
export class WebMachine {
  url: string
  readonly key: MachineKey

  constructor(url: string, key: MachineKey) {
    this.url = url
    this.key = key
  }

  async send<E extends Endpoint>(
    e: E,
    input: InputOf<E>,
    eventId: string = randomUUID(),
  ): Promise<Envelope<DataOf<E>>> {
    // a call without body signs its query
    const isRead = e.method === 'GET'
    const body = isRead
      ? String(new URLSearchParams(input as Record<string, string>))
      : JSON.stringify(input)
    const answer = await fetch(`${this.url}/api/manage${e.path}${isRead ? `?${body}` : ''}`, {
      method: e.method,
      headers: signMachineCall({ ...this.key, body, eventId, now: Date.now() }),
      ...(isRead ? {} : { body }),
    })
    return (await answer.json()) as Envelope<DataOf<E>>
  }

  async call<E extends Endpoint>(e: E, input: InputOf<E>): Promise<Envelope<DataOf<E>>> {
    const eventId = randomUUID()
    return (await steadily(() => this.send(e, input, eventId))).answer
  }
}
