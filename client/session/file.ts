/** File downloads, fetched with the token like every call, so that no file URL works alone. */
import { saveFile } from '#client/base/save-file.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { isLeftAlone } from './activity.ts'
import { TIMEOUT_MS, urlOf } from './call.ts'
import { CallError, refusalTexts } from './call-error.ts'
import { CLIENT_ID } from './ids.ts'
import { applyRenewal, readLineage, readToken, renewalOf } from './token.ts'

export interface FetchedFile {
  blob: Blob
  /** The file name from the server; null for files that are only displayed. */
  name: string | null
}

/** @throws CallError when the file is refused or does not arrive */
export async function fetchFile<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<FetchedFile> {
  const token = readToken()
  const sent = { token, signIn: readLineage().signIn }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(urlOf(endpoint, input as Record<string, unknown>).url, {
    headers: {
      ...(token ? { Authorization: token } : {}),
      'Accept-Language': document.documentElement.lang,
      'X-Client-Id': CLIENT_ID,
      ...(isLeftAlone() ? { 'X-Background': '1' } : {}),
    },
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new CallError('network')
  })
  const renewal = renewalOf(response, sent)
  if (renewal) applyRenewal(renewal)
  const type = response.headers.get('Content-Type') ?? ''
  if (response.ok && !type.includes('json'))
    return {
      blob: await response.blob(),
      name:
        /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? null,
    }
  // A refusal is an envelope, whatever file type was requested.
  const envelope = type.includes('json') ? ((await response.json()) as Envelope<unknown>) : null
  if (envelope) await refusalTexts()
  throw envelope
    ? new CallError('refused', {
        code: envelope.code,
        msg: envelope.msg,
        problem: envelope.problem ?? null,
      })
    : new CallError('http')
}

/** Saves a file as a browser download. @throws CallError */
export async function downloadFile<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): Promise<void> {
  const { blob, name } = await fetchFile(endpoint, input)
  saveFile(blob, name ?? '')
}
