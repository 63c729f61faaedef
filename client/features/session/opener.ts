/**
 * The window that opened this one: the window itself when it has this origin, 'foreign' when it has
 * another, null when there is none.
 */
export function sameOriginOpener(): Window | 'foreign' | null {
  const opener = window.opener as Window | null
  if (!opener || opener.closed) return null
  try {
    return opener.location.origin === location.origin ? opener : 'foreign'
  } catch {
    // reading the location of another origin throws
    return 'foreign'
  }
}
