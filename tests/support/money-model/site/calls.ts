/** Calls of staff and of partners' machines, once or three times at once with one key. */
import { randomUUID } from 'node:crypto'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { request } from '#tests/support/manage.ts'
import type { Account, Product } from './product.ts'

/** Each returns `ok` or the id of the refusal. */
export interface Calls {
  send(who: Account, endpoint: Endpoint, input: Record<string, unknown>): Promise<string>
  /** A partner's machine. */
  report(endpoint: Endpoint, input: Record<string, unknown>): Promise<string>
}

/** @param isThrice one effect, one answer */
export function callsOf({ manage, machine, tokens }: Product, isThrice: boolean): Calls {
  const times = Array.from({ length: isThrice ? 3 : 1 })
  return {
    async send(who, endpoint, input) {
      const headers = { authorization: tokens.get(who) ?? '', 'idempotency-key': randomUUID() }
      return outcomeOf(
        await Promise.all(times.map(() => request(manage.app, endpoint, input, headers))),
      )
    },
    async report(endpoint, input) {
      const eventId = randomUUID()
      return outcomeOf(
        await Promise.all(times.map(() => machine.send(endpoint, input, { eventId }))),
      )
    },
  }
}

/** Repeats get identical answers. */
function outcomeOf(answers: { body: string; json<T>(): T }[]): string {
  const [first] = answers
  if (first === undefined || answers.some(({ body }) => body !== first.body))
    throw new Error(
      `the same request was answered differently: ${answers.map(({ body }) => body).join(' | ')}`,
    )
  const { code, problem, data, msg } = first.json<Envelope<Partial<BulkResult> | null>>()
  if (code === 500) throw new Error(`${code} ${msg}`)
  if (code !== 200) return problem?.id ?? String(code)
  return data?.failed?.[0]?.problem ?? 'ok'
}
