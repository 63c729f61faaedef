/**
 * Calls of the wall screen. The console's `call` ends a user's session and shows messages; a screen
 * has neither.
 */
import { type DataOf, type Endpoint, type InputOf, placeOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'

const BASE = '/api/manage'
const TIMEOUT_MS = 20_000
const TOKEN_KEY = 'wall-token'

export type Answer<Data> =
  | { kind: 'ok'; data: Data; seq: number | null }
  | { kind: 'refused'; code: number }
  | { kind: 'down' }

export function readToken(): string | null {
  return localStorage.getItem(TOKEN_KEY)
}
export function storeToken(token: string | null): void {
  if (token === null) localStorage.removeItem(TOKEN_KEY)
  else localStorage.setItem(TOKEN_KEY, token)
}

export async function wallCall<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): Promise<Answer<DataOf<E>>> {
  const token = readToken()
  const inBody = placeOf(endpoint) === 'body'
  const query = new URLSearchParams(inBody ? {} : (input as Record<string, string>))
  query.set('_t', String(Date.now()))
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': document.documentElement.lang,
  }
  if (token !== null && endpoint.access !== 'none') headers.Authorization = token
  if (inBody) headers['Content-Type'] = 'application/json'
  try {
    const response = await fetch(`${BASE}${endpoint.path}?${query}`, {
      method: endpoint.method,
      headers,
      body: inBody ? JSON.stringify(input) : null,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const envelope = (await response.json()) as Envelope<DataOf<E>>
    if (response.status >= 500) return { kind: 'down' }
    if (envelope.code !== 200)
      return { kind: 'refused', code: response.status === 429 ? 429 : envelope.code }
    const renewed = response.headers.get('Authorization')
    // stored only while the token is still current: another tab may have paired again
    if (renewed !== null && renewed !== '' && readToken() === token) storeToken(renewed)
    const seq = Number(response.headers.get('X-Seq') ?? Number.NaN)
    return { kind: 'ok', data: envelope.data, seq: Number.isSafeInteger(seq) ? seq : null }
  } catch {
    return { kind: 'down' }
  }
}
