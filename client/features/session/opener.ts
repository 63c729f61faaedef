/** The window that opened this one: itself when of this origin, 'foreign' when of another, null when there is none. */
export function sameOriginOpener(): Window | 'foreign' | null {
  const opener = window.opener as Window | null
  if (!opener || opener.closed) return null
  try {
    return opener.location.origin === location.origin ? opener : 'foreign'
  } catch {
    // Reading another origin's location throws.
    return 'foreign'
  }
}
