/** Headers on their way in and out. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
])
/** What a client must not say about itself: only the edge does. */
const CLAIMED =
  /^(?:x-forwarded(?:-|$)|forwarded$|x-real-ip$|x-client-ip$|true-client-ip$|x-cluster-client-ip$|x-user-|x-internal-|x-original-|x-rewrite-|x-http-method|x-request-id$|via$)/

/**
 * The headers of a request as manage receives them: without hop-by-hop, forged and Connection-named
 * ones, with those the edge sets.
 */
export function upstreamHeaders(
  request: IncomingMessage,
  requestId: string,
  secure: boolean,
  address: string,
): IncomingHttpHeaders {
  const named = namedInConnection(request.headers)
  const headers: IncomingHttpHeaders = {}
  for (const name in request.headers) {
    if (HOP_BY_HOP.has(name) || CLAIMED.test(name) || named?.has(name)) continue
    headers[name] = request.headers[name]
  }
  headers['x-forwarded-for'] = address
  headers['x-forwarded-proto'] = secure ? 'https' : 'http'
  headers['x-request-id'] = requestId
  return headers
}

/**
 * Content-Length and Host survive whatever Connection lists: dropping them would change the meaning
 * of the message.
 */
function namedInConnection(headers: IncomingHttpHeaders): Set<string> | null {
  const connection = headers.connection
  if (
    !connection ||
    connection.toLowerCase() === 'keep-alive' ||
    connection.toLowerCase() === 'close'
  )
    return null
  const named = new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  for (const kept of ['host', 'content-length', 'content-type']) named.delete(kept)
  return named
}

/** On every answer. */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/**
 * Content-Security-Policy of the page. Nothing of it makes a script or an element of text, so it
 * needs no policy of trusted types, and none may be made.
 */
export function contentSecurityPolicy(nonce: string): string {
  return `${frameworkPolicy(nonce)}; require-trusted-types-for 'script'; trusted-types 'none'`
}

/**
 * Of `/docs`: Swagger UI makes elements of text that it has cleaned itself. Only the scripts of the
 * page run, by their nonce.
 */
export function docsContentSecurityPolicy(nonce: string): string {
  return frameworkPolicy(nonce, `'nonce-${nonce}'`)
}

function frameworkPolicy(nonce: string, scripts = "'self'"): string {
  return [
    "default-src 'self'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Of a page with nothing but its own files and one script that carries the nonce: no inline style,
 * no sink for a script made of text.
 */
export function bareContentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Manage's own word on these gives way to the edge's. */
const NOT_PASSED = new Set([
  ...HOP_BY_HOP,
  'cache-control',
  'x-request-id',
  'x-powered-by',
  'server',
  'x-content-type-options',
  'referrer-policy',
  'x-frame-options',
  'strict-transport-security',
])

/** Headers of manage's answer as the client gets them; the edge has set its own already. */
export function clientHeaders(answer: IncomingHttpHeaders): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = { 'cache-control': 'no-store' }
  for (const [name, value] of Object.entries(answer)) {
    if (!NOT_PASSED.has(name) && value !== undefined) out[name] = value
  }
  return out
}
