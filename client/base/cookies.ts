/**
 * Cookies of this origin that the client itself reads: token, language, size, sidebar. None of them
 * authenticates a request.
 */
export function readCookie(name: string, all: string = document.cookie): string | null {
  for (const part of all.split('; ')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at) === name) {
      try {
        return decodeURIComponent(part.slice(at + 1))
      } catch {
        return null
      }
    }
  }
  return null
}

/** `maxAge` in seconds; 0 removes the cookie. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Strict${secure}`
}

export const YEAR = 365 * 86_400
