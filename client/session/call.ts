/**
 * The one fetch. Everything the console reads or changes goes through `call`, except files, sockets
 * and static assets. A failure is shown here, then thrown as CallError.
 */
import { noteSeq } from '#client/session/first-seq.ts'
import {
  type DataOf,
  type Endpoint,
  type InputOf,
  pathParts,
  placeOf,
} from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { hasPressed, isLeftAlone, noteUse } from './activity.ts'
import { CallError, isUnanswered, messageOf, refusalTexts } from './call-error.ts'
import { CLIENT_ID, uuid } from './ids.ts'
import { isInterrupted, sessionBack } from './interruption.ts'
import { showMessage } from './messages.ts'
import { endSession } from './session-end.ts'
import { applyRenewal, readLineage, readToken, renewalOf } from './token.ts'

export const BASE = '/api/manage'
export const TIMEOUT_MS = 50_000
const RETRY_AFTER_MS = 400

export interface CallOptions {
  signal?: AbortSignal | undefined
  /**
   * Idempotency key of the call; every mutation gets one. Pass your own to repeat a call that may
   * have arrived.
   */
  idempotencyKey?: string
  /** The caller shows the failure itself, as forms do. A lost session is always announced. */
  quiet?: boolean
  /** Part of signing in again, so it does not wait for that. */
  resuming?: boolean
}

/**
 * Makes the call that an endpoint declares.
 * @throws CallError when the server refuses or does not answer; DOMException AbortError when
 * `signal` aborts it
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<DataOf<E>> {
  // the part of the screen says it too, but where nobody may look
  const isByPerson = endpoint.audit === undefined && !endpoint.passive && hasPressed()
  const key = options.idempotencyKey ?? (endpoint.audit ? uuid() : undefined)
  const waits =
    endpoint.access !== 'none' && endpoint.audit === undefined && options.resuming !== true
  try {
    if (waits) await sessionBack(options.signal)
    return (await attempt(endpoint, input, key, options.signal, true)) as DataOf<E>
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code !== 401 || endpoint.access === 'none') {
      if (!options.quiet || (isByPerson && isUnanswered(error))) announceFailure(error)
      throw error
    }
    if (!isInterrupted()) endSession({ message: messageOf(error), remember: true })
    if (waits && isInterrupted() && (await sessionBack(options.signal)))
      return call(endpoint, input, options)
    throw error
  }
}

/** URL of a call with its path parts, query and cache buster; download links use it too. */
export function urlOf(
  endpoint: Pick<Endpoint, 'path' | 'method' | 'place' | 'files'>,
  input: Record<string, unknown>,
): { url: string; body: string | FormData | undefined } {
  const inPath = new Set(pathParts(endpoint.path))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  const rest = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !inPath.has(name),
  )
  const query = new URLSearchParams()
  const inBody = placeOf(endpoint) === 'body'
  if (!inBody)
    for (const [name, value] of rest)
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  query.set('_r', Math.random().toString(36).slice(2))
  query.set('_t', String(Date.now()))
  return {
    url: `${BASE}${path.startsWith('/') ? '' : '/'}${path}?${query}`,
    body: !inBody
      ? undefined
      : endpoint.files
        ? formOf(rest)
        : JSON.stringify(Object.fromEntries(rest)),
  }
}

/** With files the body is a form, the other fields as text beside them. */
function formOf(rest: readonly [string, unknown][]): FormData {
  const form = new FormData()
  for (const [name, value] of rest)
    for (const one of Array.isArray(value) ? value : [value])
      form.append(name, one instanceof Blob ? one : String(one))
  return form
}

async function attempt(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  key: string | undefined,
  signal: AbortSignal | undefined,
  mayRetry: boolean,
): Promise<unknown> {
  const token = readToken()
  const sent = { token, signIn: readLineage().signIn }
  const { url, body } = urlOf(endpoint, input)
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': document.documentElement.lang,
    'X-Client-Id': CLIENT_ID,
  }
  if (token) headers.Authorization = token
  if (key) headers['Idempotency-Key'] = key
  const counts = !endpoint.passive && !isLeftAlone()
  if (counts) noteUse()
  else headers['X-Background'] = '1'
  // For a form the browser sets the content type with its boundary.
  if (typeof body === 'string') headers['Content-Type'] = 'application/json'
  const again = () => attempt(endpoint, input, key, signal, false)

  let response: Response
  let envelope: Envelope<unknown>
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    response = await fetch(url, {
      method: endpoint.method,
      headers,
      body: body ?? null,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const renewal = renewalOf(response, sent)
    if (renewal) applyRenewal(renewal)
    envelope = await readEnvelope(response)
  } catch (error) {
    if (signal?.aborted || error instanceof CallError) throw error
    if (timeout.aborted) throw new CallError('timeout')
    // Reads may be repeated; a mutation keeps its key, so the server executes it once even when the
    // first attempt arrived.
    if (!mayRetry || !navigator.onLine) throw new CallError('network')
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    signal?.throwIfAborted()
    return again()
  }

  noteSeq(response.headers.get('X-Seq'))
  if (envelope.code === 200) {
    if (counts) applyRenewal(null)
    return envelope.data
  }
  // Another tab renewed the token or signed in again while this request was under way, so its
  // refusal does not end the session.
  if (envelope.code === 401 && mayRetry && readToken() !== null && readToken() !== token)
    return again()
  await refusalTexts()
  throw new CallError('refused', {
    code: envelope.code,
    msg: envelope.msg,
    problem: envelope.problem ?? null,
    data: envelope.data,
  })
}

/** @throws CallError `http` when the answer is no envelope (a proxy's own page, an empty 502) */
async function readEnvelope(response: Response): Promise<Envelope<unknown>> {
  const text = await response.text()
  try {
    const parsed = JSON.parse(text) as Envelope<unknown>
    if (typeof parsed?.code === 'number') return parsed
  } catch {
    // Falls through: whatever it was, it is not ours.
  }
  const down = response.status === 502 || response.status === 503 || response.status === 504
  throw new CallError('http', { msg: '', problem: down ? { id: 'G-DOWN', params: {} } : null })
}

/** Code 400 is shown as a warning, everything else as an error. */
function announceFailure(error: CallError): void {
  const message = messageOf(error)
  void showMessage({
    intent: error.code === 400 ? 'warning' : 'danger',
    message,
    key: `${error.problem?.id ?? error.kind}:${message}`,
  })
}
