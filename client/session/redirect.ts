/** Where a sign-in may lead (trust.md F12): a path of this origin that the route table knows, else the root. Pure. */

/**
 * The wanted address, or `/` when it could lead elsewhere.
 * @param knows whether the route table has the path
 */
export function safeRedirect(wanted: string | null | undefined, origin: string, knows: (path: string) => boolean): string {
  if (!wanted || !/^\/(?!\/)/.test(wanted) || /[\\\u0000-\u0020\u007f-\u009f\u2028\u2029]/.test(wanted)) return '/'
  let url: URL
  try {
    url = new URL(wanted, origin)
  } catch {
    return '/'
  }
  // Encoded slashes and dots would be read differently by a proxy than by the router.
  if (url.origin !== origin || url.username || /%2f|%5c|%2e|%00/i.test(url.pathname) || url.pathname.startsWith('//')) return '/'
  if (url.pathname === '/login' || !knows(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** The login address that leads back to `path` afterwards. */
export function loginPath(path: string): string {
  return path === '/' || path.startsWith('/login') ? '/login' : `/login?redirect=${encodeURIComponent(path)}`
}
