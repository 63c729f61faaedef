/**
 * Where a sign-in may redirect: a path of this origin that the route table knows, else the root.
 * Pure.
 */

/**
 * The requested address, or `/` when it could lead elsewhere.
 * @param knows whether the route table has the path
 */
export function safeRedirect(
  wanted: string | null | undefined,
  origin: string,
  knows: (path: string) => boolean,
): string {
  if (
    !wanted ||
    !/^\/(?!\/)/.test(wanted) ||
    /[\\\u0000-\u0020\u007f-\u009f\u2028\u2029]/.test(wanted)
  )
    return '/'
  let url: URL
  try {
    url = new URL(wanted, origin)
  } catch {
    return '/'
  }
  // A path that parsing changes, or that has encoded slashes or dots, may mean something else to a
  // proxy than to the router.
  const path = wanted.split(/[?#]/)[0] as string
  if (url.origin !== origin || url.pathname !== path || /%(?:2f|5c|2e|00)/i.test(path)) return '/'
  if (url.pathname === '/login' || !knows(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** The login address that redirects to `path` after the sign-in. */
export function loginPath(path: string): string {
  return path.split(/[?#]/)[0] === '/login'
    ? '/login'
    : `/login?redirect=${encodeURIComponent(path)}`
}
