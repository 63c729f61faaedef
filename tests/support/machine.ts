/**
 * A machine with its own key, calling the same endpoints as the customer app, the machine review
 * and the payout vendor.
 */
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { BASE } from '#gateway/manage/core.ts'
import { createMachineKey, type MachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { Floor } from './manage.ts'

export interface CallAs {
  eventId?: string
  /** Milliseconds; default now. */
  now?: number
  secret?: string
  keyId?: string
  /** Sent in place of the signed body. */
  sentBody?: string
}

export interface Machine extends MachineKey {
  /** @throws Error when the call is refused */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>, as?: CallAs): Promise<DataOf<E>>
  /** The envelope of a refusal. @throws Error when the call is not refused */
  refused(endpoint: Endpoint, input: unknown, as?: CallAs): Promise<Envelope<unknown>>
  /** Any answer. */
  send(endpoint: Endpoint, input: unknown, as?: CallAs): Promise<LightMyRequestResponse>
}

export async function machineOf(
  floor: Pick<Floor, 'context' | 'manage'>,
  scopes: readonly string[],
  vendorCode: string | null = null,
): Promise<Machine> {
  const key = await createMachineKey(floor.context, {
    name: `test ${scopes.join(' ')} ${randomUUID()}`,
    scopes,
    vendorCode,
  })
  const send: Machine['send'] = (endpoint, input, as = {}) => {
    // a call without body signs its query
    const body =
      endpoint.method === 'GET'
        ? String(new URLSearchParams(input as Record<string, string>))
        : JSON.stringify(input)
    const headers = signMachineCall({
      keyId: as.keyId ?? key.keyId,
      secret: as.secret ?? key.secret,
      body,
      eventId: as.eventId ?? randomUUID(),
      now: as.now ?? Date.now(),
    })
    return floor.manage.app.inject(
      endpoint.method === 'GET'
        ? { method: 'GET', url: `${BASE}${endpoint.path}?${as.sentBody ?? body}`, headers }
        : {
            method: endpoint.method,
            url: BASE + endpoint.path,
            headers,
            payload: as.sentBody ?? body,
          },
    )
  }
  return {
    ...key,
    send,
    async call(endpoint, input, as) {
      const answer = (await send(endpoint, input, as)).json<Envelope<DataOf<typeof endpoint>>>()
      if (answer.code !== 200)
        throw new Error(
          `${endpoint.path} refused: ${answer.code} ${answer.problem?.id ?? ''} ${answer.msg} ` +
            JSON.stringify(answer.data),
        )
      return answer.data
    },
    async refused(endpoint, input, as) {
      const answer = (await send(endpoint, input, as)).json<Envelope<unknown>>()
      if (answer.code === 200) throw new Error(`${endpoint.path} was not refused`)
      return answer
    },
  }
}
