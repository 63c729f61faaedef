/**
 * One HTTP call to a vendor. The name is resolved once and the connection goes to the address that
 * was checked, so that a name server cannot lead a call into the own network after the check.
 * Redirects are not followed. No connection is kept: when one fails before it is open, nothing of
 * the call has left.
 */
import { lookup as resolve } from 'node:dns'
import { type ClientRequest, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { addressFault, isOwnNetwork } from './outbound-address.ts'

/** Nothing was sent: the receiver certainly did not take it. */
export class NotReached extends Error {
  override readonly name = 'NotReached'
  readonly code: 'unreachable' | 'ownNetwork'
  constructor(code: 'unreachable' | 'ownNetwork', cause?: unknown) {
    super(code === 'ownNetwork' ? 'the address lies in the own network' : 'no connection', {
      cause,
    })
    this.code = code
  }
}

/** No answer in time; the receiver may have taken it. */
export class CallTimeout extends Error {
  override readonly name = 'CallTimeout'
  constructor() {
    super('timeout: no answer in time')
  }
}

export interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  /** The own network may be called, also without TLS. */
  allowPrivate: boolean
  /** Bytes of the answer that are read at most; 1 MB when left out. */
  mostBytes?: number
}

export interface OutboundAnswer {
  status: number
  /** Null when the body is no JSON. */
  body: unknown
}

export interface OutboundBytes {
  status: number
  bytes: Buffer
  /** Of an answer to HEAD the length the body would have; null when it is unknown. */
  length: number | null
}

const MOST_BYTES = 1024 * 1024

/**
 * @throws NotReached when nothing was sent, CallTimeout, or an Error after the connection was open
 */
export async function callOut(call: OutboundCall): Promise<OutboundAnswer> {
  const { status, bytes } = await callForBytes(call)
  return { status, body: parsed(bytes) }
}

/** The same with the answer as it came. @throws as callOut */
export function callForBytes(call: OutboundCall): Promise<OutboundBytes> {
  const { method, url, headers, body, timeoutMs, allowPrivate, mostBytes = MOST_BYTES } = call
  const fault = addressFault(url, { allowPrivate })
  if (fault === 'private') return Promise.reject(new NotReached('ownNetwork'))
  if (fault !== null) return Promise.reject(new NotReached('unreachable', fault))
  const target = new URL(url)
  const send = target.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((done, failed) => {
    const request = send(target, {
      method,
      headers: { ...headers, ...(body !== undefined && lengthOf(body)) },
      agent: false,
      lookup: checkedLookup(allowPrivate),
    })
    const isOpen = watchConnection(request, target.protocol)
    const fail = (error: unknown): void => {
      clearTimeout(timer)
      request.destroy()
      failed(isOpen() || error instanceof NotReached ? error : new NotReached('unreachable', error))
    }
    const timer = setTimeout(() => fail(new CallTimeout()), timeoutMs)
    request.on('error', fail)
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > mostBytes) fail(new Error('the answer is too long'))
        else parts.push(part)
      })
      response.on('error', fail)
      response.on('aborted', () => fail(new Error('the answer ended early')))
      response.on('end', () => {
        clearTimeout(timer)
        const length = response.headers['content-length']
        done({
          status: response.statusCode ?? 0,
          bytes: Buffer.concat(parts),
          length: length === undefined ? null : Number(length),
        })
      })
    })
    request.end(body)
  })
}

/** Whether the connection is open, from which on the call may have arrived. */
function watchConnection(request: ClientRequest, protocol: string): () => boolean {
  let open = false
  request.on('socket', (socket) => {
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      open = true
    })
  })
  return () => open
}

/** Refuses a name that leads, with any of its addresses, into the own network. */
export function checkedLookup(
  allowPrivate: boolean,
  ask: typeof resolve = resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    ask(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '')
        return
      }
      const own = addresses.some(({ address }) => isIP(address) === 0 || isOwnNetwork(address))
      const [first] = addresses
      if (first === undefined || (own && !allowPrivate)) callback(new NotReached('ownNetwork'), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function lengthOf(body: string | Buffer): Record<string, string> {
  return { 'content-length': String(Buffer.byteLength(body)) }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
