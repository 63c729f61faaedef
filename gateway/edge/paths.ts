/**
 * What a request path may look like, and how it is named in logs and metrics.
 */

export const API_BASE = '/api/manage'

const API_CHARACTERS = /^\/[A-Za-z0-9\-._~!$&'()*+,=:@%/]*$/
/**
 * An encoded slash, backslash, percent sign, semicolon or control character is never part of an id.
 */
const HIDDEN_CHARACTERS = /%(?:2f|5c|25|3b|7f|[01][0-9a-f])/i
const INTERNAL = new RegExp(`^${API_BASE}/(?:feed|metrics|internal|livez|readyz|healthz)(?:/|$)`)

export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/**
 * Whether a path means the same to every reader: no dot segment in any spelling; below /api no
 * encoded separator either.
 */
export function isPlainPath(path: string): boolean {
  const decoded = decoded1(path)
  if (decoded === null || !path.startsWith('/')) return false
  if (
    decoded
      .split(/[\\/]/)
      .some(
        (segment) => /^\.{1,2}(?:;|$)/.test(segment) || /^(?:%2e|\.){1,2}(?:;|$)/i.test(segment),
      )
  )
    return false
  if (!/^\/api(?:\/|%|$)/i.test(path)) return true
  return API_CHARACTERS.test(path) && !path.includes('//') && !HIDDEN_CHARACTERS.test(path)
}

/** Paths that only manage's internal listener has; asked through the edge they do not exist. */
export function isInternalPath(path: string): boolean {
  return INTERNAL.test(decoded1(path)?.toLowerCase() ?? path)
}

function decoded1(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** Calls of the specification that carry a code in their last segment. */
const SECRET_LAST = /(\/code\/valid\/save\/[^/]+\/[^/]+\/)[^/]+/i
const LOGGED_LENGTH = 200

export function loggedPath(path: string): string {
  return path.replace(SECRET_LAST, '$1[redacted]').slice(0, LOGGED_LENGTH)
}

/**
 * Names a path for metrics: segments with a digit become `:id`; past `limit` different names all
 * others are `other`.
 */
export function routeNames(limit = 600): (path: string) => string {
  const known = new Set<string>()
  return (path) => {
    const name = path.startsWith(`${API_BASE}/`)
      ? path
          .slice(API_BASE.length)
          .replace(/\/[^/]*[\d%][^/]*/g, '/:id')
          .slice(0, 80)
      : 'other'
    if (known.has(name)) return name
    if (known.size >= limit) return 'other'
    known.add(name)
    return name
  }
}
